@_spi(Tools) import AtRestKeychain
import Foundation

/// The folder of a process in `/proc`. The caller checks after reading that the process still runs.
struct ProcessFolder {
  private let path: String

  init(_ process: Int32) { path = "/proc/\(process)" }

  /// The application in `.flatpak-info`, in the root of the process.
  var flatpak: String? { contents("root/.flatpak-info").flatMap(Self.flatpakID) }

  /// The unit of the system's manager, if it says which program this is.
  func unit(of user: UInt32) -> String? {
    guard let unit = contents("cgroup").flatMap(SystemUnit.init(controlGroups:)),
      unit.isEvidence(for: user)
    else { return nil }
    return unit.name
  }

  /// The program, if it is a file in the agent's own root.
  ///
  /// It is compared by the number of the file, because a process can have another file under the same
  /// path in a root of its own.
  var program: RunningProgram? {
    var target = [CChar](repeating: 0, count: 4096)
    let count = readlink(path + "/exe", &target, target.count)
    guard count > 0, count < target.count,
      let name = String(
        validating: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    else { return nil }
    var (running, present) = (stat(), stat())
    guard stat(path + "/exe", &running) == 0, lstat(name, &present) == 0,
      running.st_dev == present.st_dev, running.st_ino == present.st_ino,
      running.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return RunningProgram(
      path: name, file: .init(running), isSystem: ProgramFile.isReplaceableByRootOnly(name))
  }

  /// True if the process chooses the files that its programs read: it has another root or user
  /// namespace than the agent. It also counts if this cannot be read.
  var isSandboxed: Bool {
    func isOwn(_ name: String, _ own: String) -> Bool {
      var (other, mine) = (stat(), stat())
      return stat(path + "/" + name, &other) == 0 && stat(own, &mine) == 0
        && other.st_dev == mine.st_dev && other.st_ino == mine.st_ino
    }
    var info = stat()
    return !isOwn("root", "/") || !isOwn("ns/user", "/proc/self/ns/user")
      || lstat(path + "/root/.flatpak-info", &info) == 0
  }

  /// The terminal that controls the process, if the process is in its foreground.
  var terminal: TerminalSession? { contents("stat").flatMap(TerminalSession.init(status:)) }

  /// The time at which the process started, in ticks since the start of the system.
  var start: UInt64? { contents("stat").flatMap { TerminalSession.fields($0)?.start } }

  private func contents(_ name: String) -> String? {
    let file = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? String(validating: bytes[..<count], as: UTF8.self) : nil
  }

  /// Returns the application in the text of `.flatpak-info`: the value of `name` in the section
  /// `Application`.
  static func flatpakID(_ text: String) -> String? {
    var isApplication = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("[") {
        isApplication = line == "[Application]"
      } else if isApplication, line.hasPrefix("name=") {
        let name = line.dropFirst("name=".count)
        return name.isEmpty ? nil : String(name)
      }
    }
    return nil
  }
}
