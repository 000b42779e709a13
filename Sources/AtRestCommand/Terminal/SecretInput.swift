import AtRestCrypto
import Foundation

/// Reads secrets from files and pipes directly into locked memory.
enum SecretInput {
  /// The size of the largest secret that is read.
  private static let limit = 16 << 20

  /// Returns the contents of a file, or of standard input if the path is `-`.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the file has more than 16 MiB; otherwise the
  ///   errors of ``InputFile/withDescriptor(_:_:)``.
  static func contents(of path: String) throws -> SecretBytes {
    try InputFile.withDescriptor(path) { try contents(of: $0, name: $1) }
  }

  /// Returns a passcode, passphrase or password: the contents without one final newline, which
  /// editors and `echo` add.
  static func password(in path: String) throws -> SecretBytes {
    withoutNewline(try contents(of: path))
  }

  /// Returns a passcode, which has one line.
  ///
  /// Nothing, and a text of several lines, are hardly a passcode, and would count as a wrong one. Bytes that are
  /// not text may contain any.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the file is empty, or a text of several lines;
  ///   otherwise the errors of ``password(in:)``.
  static func passcode(in path: String) throws -> SecretBytes {
    let passcode = try password(in: path)
    guard passcode.count > 0 else {
      throw AtRestError.invalid(
        "\(path == "-" ? "Standard input" : path) has no passcode.",
        remedy: "Check the file. Nothing was counted as an attempt.")
    }
    let isText = passcode.withUnsafeBytes { bytes in
      bytes.contains(UInt8(ascii: "\n")) && isUTF8(bytes)
    }
    guard !isText else {
      throw AtRestError.invalid(
        "\(path == "-" ? "Standard input" : path) has several lines, and a passcode has one.",
        remedy: "Check the file. Nothing was counted as an attempt.")
    }
    return passcode
  }

  /// Returns true if bytes are UTF-8. They are not copied.
  private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }

  /// Returns a secret without its final newline, if it has one.
  static func withoutNewline(_ secret: consuming SecretBytes) -> SecretBytes {
    let count = secret.withUnsafeBytes { bytes in
      guard bytes.last == UInt8(ascii: "\n") else { return bytes.count }
      return bytes.dropLast().last == UInt8(ascii: "\r") ? bytes.count - 2 : bytes.count - 1
    }
    guard count < secret.count else { return secret }
    return secret.withUnsafeBytes { SecretBytes(copying: .init(rebasing: $0.prefix(count))) }
  }

  private static func contents(of file: Int32, name: String) throws -> SecretBytes {
    var parts: [(bytes: SecretBox, count: Int)] = []
    var total = 0
    var size = 4096
    while true {
      var count = 0
      let part = try SecretBytes(count: size) { bytes in
        count = try InputFile.read(file, name, into: bytes)
      }
      parts.append((SecretBox(part), count))
      total += count
      guard total <= limit else {
        throw InputFile.tooLarge(
          name, limit: limit, remedy: "Use atrest protect for a file of this size.")
      }
      if count < size { break }
      size = min(size * 2, 1 << 20)
    }
    return SecretBytes(count: total) { whole in
      var offset = 0
      for (part, count) in parts {
        part.bytes.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: whole[offset..<offset + count])
            .copyMemory(from: .init(rebasing: $0.prefix(count)))
        }
        offset += count
      }
    }
  }
}
