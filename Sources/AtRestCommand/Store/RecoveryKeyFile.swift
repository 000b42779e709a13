@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Foundation

/// The file of a recovery key: 64 hexadecimal digits and a newline, readable by its owner only.
struct RecoveryKeyFile {
  private let path: String
  private let descriptor: Int32

  /// Creates the file, before the key exists, so that the key cannot be lost for want of a file.
  init(creating path: String) throws {
    self.path = path
    descriptor = SystemPath.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      guard errno == EEXIST else { throw SystemCall.error("create", path) }
      throw AtRestError(
        .duplicate, "The recovery key's file \(path) exists already.",
        remedy: "Name a new file, so that no other recovery key is lost.")
    }
  }

  /// Writes the key durably.
  func write(_ key: borrowing SecretBytes) throws {
    defer { close(descriptor) }
    do {
      let isWritten = key.hexadecimal().withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress, $0.count) == $0.count
      }
      guard isWritten, Foundation.write(descriptor, "\n", 1) == 1, fsync(descriptor) == 0 else {
        throw SystemCall.error("write", path)
      }
      try SystemCall.flushFolder(SystemPath.url(path).deletingLastPathComponent().path)
    } catch {
      throw AtRestError(
        .system,
        "The recovery key could not be written to \(path). The device key is bound to PCRs.",
        remedy: "Run atrest device reseal without --pcr, and then again with --pcr and another "
          + "--recovery-key-file.", cause: error)
    }
  }

  /// Removes the file if no key was written.
  func remove() {
    close(descriptor)
    SystemPath.remove(path)
  }

  static func read(_ path: String) throws -> SecretBytes {
    let digits = try SecretInput.password(in: path)
    guard digits.count == 64, let key = SecretBytes.decoded(hexadecimal: digits) else {
      throw AtRestError.invalid(
        "\(path) has no recovery key: it needs 64 hexadecimal digits.",
        remedy: "Use the file that was written when the PCRs were set.")
    }
    return key
  }
}
