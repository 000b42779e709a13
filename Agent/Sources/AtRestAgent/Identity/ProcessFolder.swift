import AtRestKeychain
import Foundation

/// The folder of a process in `/proc`.
struct ProcessFolder {
  private let path: String

  init(_ process: Int32) { path = "/proc/\(process)" }

  /// Returns the facts that the folder has. The caller checks that the process still runs.
  func evidence(digests: ProgramDigests) -> [AgentEvidence] {
    var evidence: [AgentEvidence] = []
    if let flatpak = contents("root/.flatpak-info").flatMap(Self.flatpakID) {
      evidence.append(AgentEvidence(.flatpak, flatpak))
    }
    if let unit = contents("cgroup").flatMap(Self.systemUnit) {
      evidence.append(AgentEvidence(.unit, unit))
    }
    if let program = digests.program(of: path + "/exe") {
      evidence.append(AgentEvidence(.program, program))
    }
    return evidence
  }

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

  /// Returns the unit of the system's manager in the text of `cgroup`. A user's own manager starts
  /// units with any name for any of the user's programs, so its units are not returned.
  static func systemUnit(_ text: String) -> String? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
      return nil
    }
    let parts = line.dropFirst("0::/".count).split(separator: "/")
    guard parts.first == "system.slice" || parts.first?.hasPrefix("system-") == true,
      !parts.contains(where: { $0.hasPrefix("user@") || $0 == "user.slice" })
    else { return nil }
    return parts.first { $0.hasSuffix(".service") }.map(String.init)
  }
}
