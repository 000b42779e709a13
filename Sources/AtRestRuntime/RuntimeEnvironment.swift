import AtRestCrypto
import AtRestKeybag
import CAtRestSystem
import Foundation

#if canImport(Darwin)
  import MachO
#endif

/// The sources from which the checks get their data. Tests can replace a source, and so can an
/// application that has a better one.
///
/// If a source throws, the outcome of the check that uses it is undetermined.
public struct RuntimeEnvironment: Sendable {
  /// A family of operating systems.
  public enum Platform: Sendable { case linux, appleMobile, mac, other }

  /// The owner, group and permissions of a file.
  package struct FileStatus: Sendable, Hashable {
    /// The permission bits, including the sticky bit.
    package var permissions: UInt32
    /// The user that owns the file.
    package var owner: UInt32
    /// The group that owns the file.
    package var group: UInt32

    /// Creates a status.
    package init(permissions: UInt32, owner: UInt32, group: UInt32) {
      self.permissions = permissions
      self.owner = owner
      self.group = group
    }
  }

  /// The platform for which the checks are made.
  public var platform: Platform
  /// Returns the value of an environment variable, or nil if the variable is not set.
  package var variable: @Sendable (_ name: String) -> String?
  /// Returns the contents of a file, or nil if it does not exist.
  package var contents: @Sendable (_ path: String) throws -> Data?
  /// Returns the status of a file or folder, following links, or nil if it does not exist.
  package var status: @Sendable (_ path: String) throws -> FileStatus?
  /// Returns true if a file exists at a path. A dangling link counts.
  package var exists: @Sendable (_ path: String) -> Bool
  /// Returns true if the program can create a file in a folder.
  package var canWrite: @Sendable (_ folder: String) -> Bool
  /// Returns true if the system opens URLs of a scheme, or nil if this cannot be determined. To
  /// check URL schemes, pass a closure that calls `canOpenURL` of your `UIApplication`, and declare
  /// the schemes in the application's property list.
  public var canOpen: @Sendable (_ scheme: String) -> Bool?
  /// Returns the path of the program's own file, or nil if it cannot be determined.
  public var executable: @Sendable () -> String?
  /// Returns the libraries loaded into the program, on systems without `/proc/self/maps`.
  package var libraries: @Sendable () throws -> [String]
  /// Returns true if the kernel traces the program, on systems without `/proc/self/status`.
  public var isTraced: @Sendable () throws -> Bool
  /// Returns the largest core dump that a crash leaves, in bytes; `UInt64.max` means unlimited.
  package var coreLimit: @Sendable () throws -> UInt64
  /// Returns true if a crash may leave a core dump at all.
  package var isDumpable: @Sendable () throws -> Bool
  /// Returns the number of bytes of memory that may be locked; `UInt64.max` means unlimited.
  package var lockedMemoryLimit: @Sendable () throws -> UInt64
  /// Returns the effective user ID of the program.
  package var user: @Sendable () -> UInt32

  /// Creates an empty environment of an unknown platform, for tests to fill.
  public init(platform: Platform = .other) {
    self.platform = platform
    variable = { _ in nil }
    contents = { _ in nil }
    status = { _ in nil }
    exists = { _ in false }
    canWrite = { _ in false }
    canOpen = { _ in nil }
    executable = { nil }
    libraries = { [] }
    isTraced = { false }
    coreLimit = { 0 }
    isDumpable = { false }
    lockedMemoryLimit = { .max }
    user = { 0 }
  }

  /// The environment of this process on this machine.
  public static var current: RuntimeEnvironment {
    #if os(Linux) || os(Android)
      var environment = RuntimeEnvironment(platform: .linux)
    #elseif os(macOS) || targetEnvironment(simulator)
      // A simulator shows the files of the Mac on which it runs.
      var environment = RuntimeEnvironment(platform: .mac)
    #elseif canImport(Darwin)
      var environment = RuntimeEnvironment(platform: .appleMobile)
    #else
      var environment = RuntimeEnvironment(platform: .other)
    #endif
    environment.variable = { name in getenv(name).map { String(cString: $0) } }
    environment.contents = { try Self.read($0) }
    environment.status = { try Self.status($0) }
    environment.exists = { path in
      var status = stat()
      return lstat(path, &status) == 0
    }
    environment.canWrite = { folder in
      let path = "\(folder)/.atrest-\(UInt64.random(in: 0 ... .max))"
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard file >= 0 else { return false }
      close(file)
      unlink(path)
      return true
    }
    environment.coreLimit = {
      var bytes: UInt64 = 0
      guard atrest_core_limit(&bytes) == 0 else {
        throw SystemCall.error("read the limit of", "core dumps")
      }
      return bytes
    }
    environment.lockedMemoryLimit = {
      var bytes: UInt64 = 0
      guard atrest_locked_memory_limit(&bytes) == 0 else {
        throw SystemCall.error("read the limit of", "locked memory")
      }
      return bytes
    }
    environment.user = { UInt32(geteuid()) }
    #if os(Linux) || os(Android)
      environment.executable = { Self.destination(of: "/proc/self/exe") }
      environment.isDumpable = {
        let state = atrest_is_dumpable()
        guard state >= 0 else {
          throw SystemCall.error("ask whether a crash dumps", "this process")
        }
        return state != 0
      }
    #elseif canImport(Darwin)
      environment.executable = { Bundle.main.executablePath }
      environment.isDumpable = { true }
      environment.isTraced = {
        var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
        var info = kinfo_proc()
        var size = MemoryLayout<kinfo_proc>.stride
        guard sysctl(&name, u_int(name.count), &info, &size, nil, 0) == 0 else {
          throw SystemCall.error("ask the kernel about", "this process")
        }
        return info.kp_proc.p_flag & P_TRACED != 0
      }
      environment.libraries = {
        (0..<_dyld_image_count()).compactMap { index in
          _dyld_get_image_name(index).map { String(cString: $0) }
        }
      }
    #endif
    return environment
  }

  private static func read(_ path: String) throws -> Data? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 && (errno == ENOENT || errno == ENOTDIR) { return nil }
    guard file >= 0 else { throw SystemCall.error("open", path) }
    defer { close(file) }
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // Files in /proc report no size.
    while data.count < 1 << 24 {
      let count = Foundation.read(file, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw SystemCall.error("read", path) }
      if count == 0 { break }
      data.append(contentsOf: buffer[0..<count])
    }
    return data
  }

  private static func status(_ path: String) throws -> FileStatus? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SystemCall.error("inspect", path)
    }
    return FileStatus(
      permissions: UInt32(status.st_mode) & 0o7777, owner: UInt32(status.st_uid),
      group: UInt32(status.st_gid))
  }

  private static func destination(of link: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: link)
  }

  /// Returns the contents of a file as text, or nil if it does not exist.
  func text(_ path: String) throws -> String? {
    try contents(path).map { String(decoding: $0, as: UTF8.self) }
  }
}
