import AtRestCrypto
import CAtRestSystem
import Foundation

/// The standard output and the standard error of another process, which pass through a mask.
struct MaskedOutput {
  /// A pipe, and the stream to which it leads.
  private final class Passage {
    let read: Int32
    let write: Int32
    private let stream: StandardStream
    private var mask: OutputMask
    /// True until the end of the pipe, or until the stream fails.
    private(set) var isOpen = true

    init(_ stream: StandardStream, hiding secrets: [SecretBox]) throws {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else {
        throw AtRestError(
          .system, "Could not make a pipe: \(String(cString: strerror(errno))).",
          remedy: "Close other programs, or try again.")
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (read, write) = (ends[0], ends[1])
      self.stream = stream
      mask = OutputMask(secrets)
    }

    deinit { if isOpen { close(read) } }

    /// Moves what the pipe has to the stream.
    func advance(_ buffer: UnsafeMutableRawBufferPointer) {
      let count = Foundation.read(read, buffer.baseAddress!, buffer.count)
      if count < 0 && (errno == EINTR || errno == EAGAIN) { return }
      var failure: Int32 = 0
      func pass(_ bytes: UnsafeRawBufferPointer) {
        if failure == 0 { failure = stream.write(bytes) }
      }
      if count > 0 {
        mask.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: pass)
        atrest_erase(buffer.baseAddress!, count)
        if failure == 0 { return }
      } else {
        mask.finish(to: pass)
      }
      end()
    }

    /// True if a line without an end is held back.
    var isHolding: Bool { isOpen && mask.isHolding }

    /// Passes on a line without an end, such as a prompt.
    func passOnLine() {
      var failure: Int32 = 0
      mask.pause { if failure == 0 { failure = stream.write($0) } }
      if failure != 0 { end() }
    }

    private func end() {
      // After a failure, the other process sees that its output has no reader.
      isOpen = false
      close(read)
    }
  }

  /// The milliseconds after which a line without an end is passed on.
  private static let patience: Int32 = 50

  private let output: Passage
  private let errors: Passage

  init(hiding secrets: [SecretBox]) throws {
    output = try Passage(.output, hiding: secrets)
    errors = try Passage(.errors, hiding: secrets)
  }

  /// The descriptors to which the other process writes.
  var descriptors: (out: Int32, errors: Int32) { (output.write, errors.write) }

  /// Passes everything on, until the other process and those that it started have closed both
  /// streams.
  func passOn() {
    // Only the other process may keep these open.
    close(output.write)
    close(errors.write)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while output.isOpen || errors.isOpen {
      // A negative descriptor is skipped.
      var waiting = [
        pollfd(fd: output.isOpen ? output.read : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors.isOpen ? errors.read : -1, events: Int16(POLLIN), revents: 0),
      ]
      let isHolding = output.isHolding || errors.isHolding
      let count = poll(&waiting, 2, isHolding ? Self.patience : -1)
      if count == 0 {
        for passage in [output, errors] where passage.isHolding { passage.passOnLine() }
      }
      guard count > 0 else { continue }
      if waiting[0].revents != 0 { output.advance(buffer) }
      if waiting[1].revents != 0 { errors.advance(buffer) }
    }
  }
}
