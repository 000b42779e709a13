import AtRestCrypto
import AtRestKeybag
import Foundation

/// Opens the files, pipes and standard streams that options and arguments name.
enum InputFile {
  /// Calls a closure with the descriptor of a file, or of standard input if the path is `-`, and its
  /// name for messages.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if there is no such file;
  ///   ``AtRestError/Code/notPermitted``; ``AtRestError/Code/system``;
  ///   ``AtRestError/Code/invalidArgument`` if it is a folder.
  static func withDescriptor<Result: ~Copyable>(
    _ path: String, _ body: (Int32, String) throws -> Result
  ) throws -> Result {
    guard path != "-" else { return try body(STDIN_FILENO, "standard input") }
    let file = SystemPath.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { throw SystemCall.error("open", path) }
      throw AtRestError(.notFound, "There is no file \(path).", remedy: "Check the path.")
    }
    defer { close(file) }
    return try body(file, path)
  }

  /// Reads until the memory is full or the input ends, and returns the number of bytes read.
  static func read(
    _ file: Int32, _ name: String, into bytes: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    var count = 0
    while count < bytes.count {
      let got = Foundation.read(file, bytes.baseAddress! + count, bytes.count - count)
      if got < 0 && errno == EINTR { continue }
      if got < 0 && errno == EAGAIN {
        // The writer of the pipe made it non-blocking.
        var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        poll(&state, 1, -1)
        continue
      }
      if got < 0 && errno == EISDIR {
        throw AtRestError.invalid("\(name) is a folder.", remedy: "Pass a file or a pipe.")
      }
      if got < 0 && errno == EBADF && file == STDIN_FILENO {
        throw StandardInput.closed
      }
      guard got >= 0 else { throw SystemCall.error("read", name) }
      if got == 0 { break }
      count += got
    }
    return count
  }

  /// The error for an input that is larger than what uses it can take.
  static func tooLarge(_ name: String, limit: Int, remedy: String) -> AtRestError {
    .invalid("\(name) has more than \(limit >> 20) MiB.", remedy: remedy)
  }
}
