import Foundation

/// The label and the unit that any program of the user has here: the agent's own, and those of a
/// program that the agent starts to look at.
struct CommonEvidence: Sendable {
  let labels: Set<String>
  let unit: String?

  /// Found when it is first needed.
  static let own = CommonEvidence()

  private init() {
    let label = Self.contents("/proc/self/attr/current")
    unit = Self.contents("/proc/self/cgroup").flatMap { SystemUnit(controlGroups: $0)?.name }
    labels = Set([label, label == nil ? nil : Self.probe()].compactMap { $0 })
  }

  private static func contents(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8)).map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: "\0\n"))
    }
  }

  /// Returns the label of a program that has no profile of its own.
  private static func probe() -> String? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/cat")
    process.arguments = ["/proc/self/attr/current"]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    guard (try? process.run()) != nil else { return nil }
    let text = try? output.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    return text.map {
      String(decoding: $0, as: UTF8.self)
        .trimmingCharacters(in: CharacterSet(charactersIn: "\0\n"))
    }
  }
}
