import Foundation
import Synchronization

/// Reads a pipe on a thread of its own, so the test itself can write to it.
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

  /// Closes the writing end, and returns all bytes received.
  func finish() -> Data {
    try? pipe.fileHandleForWriting.close()
    done.wait()
    return data.withLock { $0 }
  }
}

extension Pipe {
  /// Returns a pipe that delivers some bytes and ends. A separate thread writes them.
  static func giving(_ data: Data) -> Pipe {
    let pipe = Pipe()
    Thread {
      try? pipe.fileHandleForWriting.write(contentsOf: data)
      try? pipe.fileHandleForWriting.close()
    }.start()
    return pipe
  }
}
