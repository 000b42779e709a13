import Foundation

/// Standard output or standard error, written so that a closed or full stream never traps.
enum StandardStream: Int32 {
  case output = 1
  case errors = 2

  /// Writes all bytes.
  ///
  /// - Returns: 0, or the error number of the write that failed.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var offset = 0
    while offset < bytes.count {
      let count = Foundation.write(rawValue, bytes.baseAddress! + offset, bytes.count - offset)
      if count > 0 {
        offset += count
      } else if count == 0 {
        return EIO
      } else if errno == EAGAIN, self == .output {
        // The reader made the pipe non-blocking. A result waits for the reader, a message does not.
        var state = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&state, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Writes text. See ``write(_:)-(UnsafeRawBufferPointer)``.
  @discardableResult
  func write(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Makes every failed write return an error, and prevents files that are opened later from taking
  /// one of the three standard descriptors.
  ///
  /// A closed descriptor is replaced by `/dev/null`, opened in the wrong direction, so reading from
  /// it and writing to it still fail.
  static func prepare() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is the closed descriptor, because all lower ones are open by now.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
    // A handler is used instead of SIG_IGN, so the default applies again in a program that replaces
    // this process.
    for number in [SIGPIPE, SIGXFSZ] {
      let before = signal(number) { _ in }
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
  }
}
