import CAtRestSystem
import Foundation
import Synchronization

/// Shows the progress of file operations on a terminal: name, percentage, rate and remaining time.
final class ProgressBar: Sendable {
  private struct State {
    var name = ""
    var index = 0
    /// The number of bytes in finished files.
    var done: Int64 = 0
    var current: ByteProgress?
    var began: ContinuousClock.Instant?
  }

  private static let interval = DispatchTimeInterval.milliseconds(100)
  private let fileCount: Int
  /// The number of bytes in all files, or nil if one of them is a pipe.
  private let total: Int64?
  private let state = Mutex(State())
  // Dispatch's own objects are safe to use from any thread.
  nonisolated(unsafe) private let timer: any DispatchSourceTimer

  /// Creates a bar. Returns nil if standard error is not a terminal.
  init?(fileCount: Int, total: Int64?) {
    guard Output.isTerminal(STDERR_FILENO) else { return nil }
    self.fileCount = fileCount
    self.total = total
    timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { [weak self] in self?.draw() }
    timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
    timer.resume()
  }

  /// Begins with the next file, or with a group of files of which one is named.
  func begin(_ name: String, count: Int, _ progress: ByteProgress) {
    state.withLock { state in
      state.done += state.current?.completedUnitCount ?? 0
      state.current = progress
      state.name = name
      state.index += count
    }
  }

  func end() {
    timer.cancel()
    StatusLine.hidden {}
    // If `draw()` has already begun, it finds nothing to draw.
    state.withLock { $0.current = nil }
    StatusLine.hidden {}
  }

  private func draw() {
    // The time spent in prompts does not count.
    let now = ContinuousClock.now - StatusLine.hiddenTime
    // The lock is held, so nothing is drawn after `end()`.
    state.withLock { state in
      guard let current = state.current, !Interruption.isPending else { return }
      let count = state.done + current.completedUnitCount
      guard count > 0 else { return }
      let began = state.began ?? now
      state.began = began
      let seconds = (now - began) / .seconds(1)
      guard seconds > 0 else { return }
      let place = fileCount > 1 ? "(\(state.index)/\(fileCount)) " : ""
      let width = Int(atrest_terminal_width(STDERR_FILENO))
      StatusLine.show(
        Self.line(
          place + Output.printable(state.name), count: count, total: total, seconds: seconds,
          width: width > 0 ? width : 80))
    }
  }

  static func line(
    _ name: String, count: Int64, total: Int64?, seconds: Double, width: Int
  ) -> String {
    let rate = Double(count) / seconds
    var figures = String(format: "%8.1f MB/s", rate / 1e6)
    if let total, total > 0 {
      let share = min(1, Double(count) / Double(total))
      let left = Int((Double(max(0, total - count)) / rate).rounded(.up))
      figures = String(format: "%4d%%", Int(share * 100)) + figures + "  " + time(left) + " left"
      // The bar is the first part to be omitted.
      if width >= 70 {
        let filled = Int(share * 20)
        figures =
          "  [" + String(repeating: "=", count: filled)
          + String(repeating: " ", count: 20 - filled) + "]" + figures
      }
    } else {
      figures = String(format: "%10.1f MB", Double(count) / 1e6) + figures
    }
    // The last column stays free, because some terminals wrap the line there.
    return shortened(name, to: max(0, width - 1 - figures.count)) + figures
  }

  private static func time(_ seconds: Int) -> String {
    seconds < 3600
      ? String(format: "%d:%02d", seconds / 60, seconds % 60)
      : String(format: "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
  }

  /// Returns a name, padded or cut in its middle to a number of columns.
  private static func shortened(_ name: String, to width: Int) -> String {
    // East Asian characters take two columns.
    func columns(_ text: some StringProtocol) -> Int {
      text.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x1100 ? 2 : 1) }
    }
    let missing = width - columns(name)
    if missing >= 0 { return name + String(repeating: " ", count: missing) }
    guard width > 4 else { return String(repeating: " ", count: width) }
    var head = ""
    var tail = ""
    var rest = Substring(name)
    while let first = rest.first, columns(head) + columns(tail) + columns(String(first)) < width {
      head.append(first)
      rest.removeFirst()
      guard let last = rest.last, columns(head) + columns(tail) + columns(String(last)) < width
      else { break }
      tail.insert(last, at: tail.startIndex)
      rest.removeLast()
    }
    let spare = width - columns(head) - columns(tail) - 1
    return head + "…" + tail + String(repeating: " ", count: max(0, spare))
  }
}
