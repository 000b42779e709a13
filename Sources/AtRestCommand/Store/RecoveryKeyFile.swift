import AtRestCrypto
import Foundation

/// The file of a recovery key: 64 hexadecimal digits and a newline, readable by its owner only.
struct RecoveryKeyFile {
  private let path: String
  private let descriptor: Int32

  /// Creates the file, before the key exists, so that the key cannot be lost for want of a file.
  init(creating path: String) throws {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw AtRestError(
        errno == EEXIST ? .duplicate : .system,
        "The recovery key's file \(path) could not be created: \(String(cString: strerror(errno))).",
        remedy: "Name a new file in a folder that you may write to.")
    }
  }

  /// Writes the key durably.
  func write(_ key: borrowing SecretBytes) throws {
    var text = Data()
    key.withUnsafeBytes { bytes in
      for byte in bytes { text.append(contentsOf: String(format: "%02x", byte).utf8) }
    }
    text.append(0x0a)
    let isWritten =
      text.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) == $0.count }
      && fsync(descriptor) == 0
    text.resetBytes(in: text.startIndex..<text.endIndex)
    close(descriptor)
    guard isWritten else {
      throw AtRestError(
        .system, "The recovery key could not be written to \(path).",
        remedy: "Run atrest device reseal, with --pcr and another --recovery-key-file, or without.")
    }
  }

  /// Removes the file if no key was written.
  func remove() {
    close(descriptor)
    unlink(path)
  }

  static func read(_ path: String) throws -> SecretBytes {
    let text = try SecretInput.password(in: path)
    let digits = text.withUnsafeBytes { $0.map { Character(UnicodeScalar($0)).hexDigitValue } }
    guard digits.count == 64, digits.allSatisfy({ $0 != nil }) else {
      throw AtRestError.invalid(
        "\(path) has no recovery key: it needs 64 hexadecimal digits.",
        remedy: "Use the file that was written when the PCRs were set.")
    }
    return SecretBytes(count: 32) { bytes in
      for index in 0..<32 {
        bytes[index] = UInt8((digits[2 * index] ?? 0) << 4 | (digits[2 * index + 1] ?? 0))
      }
    }
  }
}
