import AtRestCrypto
import Foundation

/// The file with the server key: 64 hexadecimal digits.
enum ServerKeyFile {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Writes a new key to a file that does not exist.
  static func create(_ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw AtRestError(
        errno == EEXIST ? .duplicate : errno == EACCES ? .notPermitted : .system,
        "The server key cannot be written to \(path): \(String(cString: strerror(errno))).",
        remedy: "Choose a file that does not exist, in a folder that you can write to.")
    }
    defer { close(descriptor) }
    let key = SecretBytes.random(count: 32)
    let text = SecretBytes(count: 64) { text in
      key.withUnsafeBytes { bytes in
        for index in 0..<32 {
          text[2 * index] = digits[Int(bytes[index] >> 4)]
          text[2 * index + 1] = digits[Int(bytes[index] & 15)]
        }
      }
    }
    let isWritten = text.withUnsafeBytes { write(descriptor, $0.baseAddress, 64) == 64 }
    guard isWritten, fsync(descriptor) == 0 else {
      unlink(path)
      throw AtRestError(
        .system, "The server key cannot be written to \(path).", remedy: "Check the disk.")
    }
  }

  /// Reads a key.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/notPermitted`` if the file cannot
  ///   be read, or others can; ``AtRestError/Code/damaged`` if it does not hold a key.
  static func read(_ path: String) throws -> SecretBytes {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT
        ? AtRestError(
          .notFound, "There is no server key \(path).",
          remedy: "Create one with: atrest-keyserver key create \(path).")
        : AtRestError(
          .notPermitted,
          "The server key \(path) cannot be read: \(String(cString: strerror(errno))).",
          remedy: "Check its permissions.")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR,
      status.st_mode & 0o027 == 0 || status.st_mode & S_IFMT == S_IFIFO
    else {
      throw AtRestError(
        .notPermitted, "Others can read or change the server key \(path).",
        remedy: "Use a file of mode 0600, or 0640: chmod 600 \(path).")
    }
    // Digits, and white space after them.
    var count = 0
    let text = SecretBytes(count: 128) { text in
      count = max(0, Foundation.read(descriptor, text.baseAddress, text.count))
    }
    return try text.withUnsafeBytes { text in
      let rest = text[..<count].dropFirst(64)
      guard count >= 64, count < 128, rest.allSatisfy({ [10, 13, 32].contains($0) }),
        text[..<64].allSatisfy({ value($0) != nil })
      else {
        throw AtRestError(
          .damaged, "\(path) does not hold a server key of 64 hexadecimal digits.",
          remedy: "Restore it from a backup. The database cannot be opened with another one.")
      }
      return SecretBytes(count: 32) { bytes in
        for index in 0..<32 {
          bytes[index] = (value(text[2 * index]) ?? 0) << 4 | (value(text[2 * index + 1]) ?? 0)
        }
      }
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    // Capital letters are accepted too.
    let small = (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(digit) ? digit | 32 : digit
    return digits.firstIndex(of: small).map { UInt8($0) }
  }
}
