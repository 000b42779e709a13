import Foundation

/// A line on the terminal that says how far a long piece of work is; nothing where there is none.
enum SealProgress {
  /// Does the work, and shows its progress from the first second on.
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
      // Behind a line that is being written.
      queue.sync { timer.cancel() }
      StandardStream.errors.write("\r\u{1b}[K")
    }
    return try work(progress)
  }
}
