import AtRestCrypto
import AtRestKeybag
import CAtRestSystem
import Foundation

#if canImport(Darwin)
  import MachO
#endif

/// Where the checks look: each source can be replaced, in tests and where an application knows better.
///
/// A source that throws makes its check undetermined.
public struct RuntimeEnvironment: Sendable {
  /// A family of operating systems.
  public enum Platform: Sendable { case linux, appleMobile, mac, other }

  /// Who may change a file.
  public struct FileStatus: Sendable, Hashable {
    /// The permission bits, the sticky one among them.
    public var permissions: UInt32
    /// The user that it belongs to.
    public var owner: UInt32
    /// The group that it belongs to.
    public var group: UInt32

    /// Makes a status.
    public init(permissions: UInt32, owner: UInt32, group: UInt32) {
      self.permissions = permissions
      self.owner = owner
      self.group = group
    }
  }

  /// The system that the checks expect.
  public var platform: Platform
  /// The value of an environment variable, or nil.
  public var variable: @Sendable (_ name: String) -> String?
  /// What a file holds, or nil where there is none.
  public var contents: @Sendable (_ path: String) throws -> Data?
  /// Who may change a file or folder, links followed, or nil where there is none.
  public var status: @Sendable (_ path: String) throws -> FileStatus?
  /// Whether there is something at a path, a link that leads nowhere too.
  public var exists: @Sendable (_ path: String) -> Bool
  /// Whether the program can make a file in a folder.
  public var canWrite: @Sendable (_ folder: String) -> Bool
  /// Whether the system opens URLs of a scheme; nil: cannot be told. An application gives
  /// `canOpenURL` of its `UIApplication`, with the schemes in its property list.
  public var canOpen: @Sendable (_ scheme: String) -> Bool?
  /// The program's own file, or nil where it cannot be told.
  public var executable: @Sendable () -> String?
  /// The libraries in the program, where the system tells them otherwise than in `/proc/self/maps`.
  public var libraries: @Sendable () throws -> [String]
  /// Whether the kernel traces the program, where it says so otherwise than in `/proc/self/status`.
  public var isTraced: @Sendable () throws -> Bool
  /// The size up to which a crash leaves a core dump; `UInt64.max`: any.
  public var coreLimit: @Sendable () throws -> UInt64
  /// Whether a crash may leave one at all.
  public var isDumpable: @Sendable () throws -> Bool
  /// How many bytes of memory may be locked; `UInt64.max`: any.
  public var lockedMemoryLimit: @Sendable () throws -> UInt64
  /// The user that the program acts for.
  public var user: @Sendable () -> UInt32

  /// Makes an environment of an unknown platform in which there is nothing: for tests to fill.
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

  /// This process on this machine.
  public static var current: RuntimeEnvironment {
    #if os(Linux) || os(Android)
      var environment = RuntimeEnvironment(platform: .linux)
    #elseif os(macOS) || targetEnvironment(simulator)
      // A simulator shows the Mac's files.
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
    // Files of /proc tell no size.
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

  /// A file as text, or nil where there is none.
  func text(_ path: String) throws -> String? {
    try contents(path).map { String(decoding: $0, as: UTF8.self) }
  }
}
