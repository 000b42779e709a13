@_spi(Tools) import AtRestCrypto
import Foundation

/// Reads secrets from files, pipes and the terminal into locked memory.
enum SecretFile {
  private static let limit = 1 << 20

  /// Returns the contents of a file, or of standard input if the path is `-`.
  static func contents(of path: String) throws -> SecretBytes {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw AtRestError(
        errno == ENOENT ? .notFound : .notPermitted,
        "\(path) cannot be read: \(String(cString: strerror(errno))).",
        remedy: "Check the path and its permissions.")
    }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    return try read(descriptor, path)
  }

  /// Returns a passphrase or a code: a file without its final line break, or what is typed on the
  /// terminal without an echo.
  static func line(in path: String?, prompt: String) throws -> SecretBytes {
    if let path { return withoutLineBreak(try contents(of: path)) }
    guard TerminalPrompt.isPresent else {
      throw AtRestError(
        .interactionNotAllowed, "There is no terminal to ask on.",
        remedy: "Name a file, or - for standard input.")
    }
    return try TerminalPrompt.secret(prompt)
  }

  private static func read(
    _ descriptor: Int32, _ name: String
  ) throws -> SecretBytes {
    var count = 0
    let buffer = try SecretBytes(count: limit) { bytes in
      while count < bytes.count {
        let got = Foundation.read(descriptor, bytes.baseAddress! + count, bytes.count - count)
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else {
          throw AtRestError(
            .system, "\(name) cannot be read: \(String(cString: strerror(errno))).",
            remedy: "Check the path.")
        }
        count += got
        if got == 0 { return }
      }
      throw AtRestError(
        .invalidArgument, "\(name) has 1 MiB or more.",
        remedy: "Protect larger files under a random key, and that key with this program.")
    }
    return buffer.withUnsafeBytes { SecretBytes(copying: .init(rebasing: $0[..<count])) }
  }

  private static func withoutLineBreak(_ secret: consuming SecretBytes) -> SecretBytes {
    secret.withUnsafeBytes { bytes in
      var rest = bytes[...]
      if rest.last == 10 { rest = rest.dropLast() }
      if rest.last == 13 { rest = rest.dropLast() }
      return SecretBytes(copying: .init(rebasing: rest))
    }
  }
}
