import AtRestCrypto
import Foundation

/// Reads files and pipes that are not secret, completely and up to a size.
enum MessageInput {
  /// The size of the largest message, which is kept in memory as a whole.
  static let messageLimit = 1 << 30
  /// The size of the largest key, signature or other small file.
  static let smallLimit = 1 << 20

  /// Returns the contents of a file or pipe, or of standard input if the path is `-`.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if there are more bytes than `limit`; otherwise the
  ///   errors of ``InputFile/withDescriptor(_:_:)``.
  static func contents(of path: String, limit: Int = messageLimit) throws -> Data {
    try InputFile.withDescriptor(path) { file, name in
      var contents = Data()
      var size = 64 << 10
      while true {
        var part = Data(count: size)
        let count = try part.withUnsafeMutableBytes { try InputFile.read(file, name, into: $0) }
        guard contents.count + count <= limit else {
          throw InputFile.tooLarge(name, limit: limit, remedy: "Pass the file that is meant here.")
        }
        contents.append(part.prefix(count))
        if count < size { return contents }
        size = min(size * 2, 16 << 20)
      }
    }
  }

  /// Returns the first bytes of a file or pipe, or all bytes if it has fewer.
  static func head(of path: String, count: Int) throws -> Data {
    try InputFile.withDescriptor(path) { file, name in
      var head = Data(count: count)
      let got = try head.withUnsafeMutableBytes { try InputFile.read(file, name, into: $0) }
      return head.prefix(got)
    }
  }

  /// Returns the contents of a file or pipe with a key or a signature.
  static func small(_ path: String) throws -> Data { try contents(of: path, limit: smallLimit) }
}
