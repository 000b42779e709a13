import Foundation

/// A line on the terminal that shows the progress of long work. Nothing is shown without a
/// terminal.
enum StampProgress {
  /// Does the work, and shows its progress after the first second.
  static func shown<Result>(
    _ name: String, _ work: (Progress) throws -> Result
  ) rethrows -> Result {
    let progress = Progress(totalUnitCount: 0)
    guard Output.isTerminal(STDERR_FILENO) else { return try work(progress) }
    let queue = DispatchQueue(label: "atrest.progress")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let shown = Output.printable(name)
    timer.schedule(deadline: .now() + 1, repeating: 0.2)
    timer.setEventHandler {
      let percent = Int(progress.fractionCompleted * 100)
      StandardStream.errors.write("\r\u{1b}[K\(shown): \(percent) %")
    }
    timer.resume()
    defer {
      // The queue first finishes a line that is being written.
      queue.sync { timer.cancel() }
      StandardStream.errors.write("\r\u{1b}[K")
    }
    return try work(progress)
  }
}
