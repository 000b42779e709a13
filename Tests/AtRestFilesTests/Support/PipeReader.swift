import Foundation
import Synchronization

/// Takes in a pipe on a thread of its own, so that the test itself can write into it.
final class PipeReader: Sendable {
  private let pipe: Pipe
  private let data = Mutex(Data())
  private let done = DispatchSemaphore(value: 0)

  init(_ pipe: Pipe) {
    self.pipe = pipe
    Thread { [self] in
      let all = self.pipe.fileHandleForReading.readDataToEndOfFile()
      data.withLock { $0 = all }
      done.signal()
    }.start()
  }

  /// Closes the writer's end, and gives all that came.
  func finish() -> Data {
    try? pipe.fileHandleForWriting.close()
    done.wait()
    return data.withLock { $0 }
  }
}

extension Pipe {
  /// A pipe that gives some bytes and ends, written on a thread of its own.
  static func giving(_ data: Data) -> Pipe {
    let pipe = Pipe()
    Thread {
      try? pipe.fileHandleForWriting.write(contentsOf: data)
      try? pipe.fileHandleForWriting.close()
    }.start()
    return pipe
  }
}
