import Foundation

/// The time on processors and the memory of processes, from `/proc`.
enum ProcessUsage {
  /// Seconds on processors so far, of a process and of its children that run.
  static func seconds(_ pid: Int32, withChildren: Bool = false) -> Double {
    var ticks = 0.0
    for process in [pid] + (withChildren ? children(of: pid) : []) {
      let fields = stat(process)
      guard fields.count > 13 else { continue }
      ticks += (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)
    }
    return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The resident memory in MiB.
  static func memory(_ pid: Int32) -> Double {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
    let kilobytes = text.firstMatch(of: /VmRSS:\s+(\d+)/).flatMap { Double($0.1) } ?? 0
    return kilobytes / 1024
  }

  private static func children(of pid: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { stat($0).dropFirst().first == "\(pid)" }
  }

  /// The fields after the name, beginning with the state.
  private static func stat(_ pid: Int32) -> [Substring] {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    return text.split(separator: ")").last.map { $0.split(separator: " ") } ?? []
  }
}
