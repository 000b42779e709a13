import Foundation
import Synchronization

/// Runs tasks in parallel on threads with large stacks.
///
/// Parsers and rules recurse into nested code. Each thread has a stack that is large enough for the
/// deepest nesting that is allowed. The threads of a dispatch queue do not have such stacks on all
/// systems.
package enum Workers {
  /// The size of a stack in address space. Pages that are not used take no memory.
  private static let stackSize = 256 << 20

  /// Runs each task once, on all cores, and returns the results in the order of the tasks.
  package static func map<Result: Sendable>(
    _ count: Int, _ task: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    let state = State<Result>(count)
    let threads = min(count, max(ProcessInfo.processInfo.activeProcessorCount, 1))
    let done = DispatchGroup()
    for _ in 0..<threads {
      done.enter()
      let thread = Thread {
        while let index = state.next() { state.set(index, task(index)) }
        done.leave()
      }
      thread.stackSize = stackSize
      thread.start()
    }
    done.wait()
    return state.all
  }

  private final class State<Result: Sendable>: Sendable {
    private let count: Int
    private let values: Mutex<(next: Int, results: [Result?])>

    init(_ count: Int) {
      self.count = count
      values = Mutex((0, Array(repeating: nil, count: count)))
    }

    func next() -> Int? {
      values.withLock { values in
        guard values.next < count else { return nil }
        values.next += 1
        return values.next - 1
      }
    }

    func set(_ index: Int, _ result: Result) { values.withLock { $0.results[index] = result } }

    var all: [Result] { values.withLock { $0.results.compactMap(\.self) } }
  }
}
