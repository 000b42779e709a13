import AtRestCrypto
import Foundation

/// The file with the server key: 64 hexadecimal digits.
enum ServerKeyFile {
  /// Writes a new key to a file that does not exist.
  static func create(_ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard descriptor >= 0 else {
      throw AtRestError(
        errno == EEXIST ? .duplicate : .system, "The server key cannot be written to \(path).",
        remedy: "Choose a file that does not exist, in a folder that you can write to.")
    }
    defer { close(descriptor) }
    let digits = Array("0123456789abcdef".utf8)
    let text = SecretBytes.random(count: 32).withUnsafeBytes { bytes in
      bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
    guard write(descriptor, text, text.count) == text.count, fsync(descriptor) == 0 else {
      unlink(path)
      throw AtRestError(
        .system, "The server key cannot be written to \(path).", remedy: "Check the disk.")
    }
  }

  static func read(_ path: String) throws -> SecretBytes {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      case let digits = text.trimmingCharacters(in: .whitespacesAndNewlines), digits.count == 64,
      digits.allSatisfy(\.isHexDigit)
    else {
      throw AtRestError(
        .invalidArgument, "\(path) does not hold a server key of 64 hexadecimal digits.",
        remedy: "Create one with: atrest-keyserver key create \(path).")
    }
    let values = digits.compactMap(\.hexDigitValue)
    return SecretBytes(count: 32) { bytes in
      for index in 0..<32 { bytes[index] = UInt8(values[2 * index] << 4 | values[2 * index + 1]) }
    }
  }
}
