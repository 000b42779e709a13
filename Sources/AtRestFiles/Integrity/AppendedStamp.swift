@_spi(Tools) import AtRestCrypto
import Foundation

/// A stamp at the end of a file: contents ‖ stamp ‖ length of the stamp ‖ end mark.
enum AppendedStamp {
  static let endMark = Array("AtRestSE".utf8)
  static let footerCount = 4 + endMark.count

  /// Returns the bytes that follow the contents.
  static func trailer(_ stamp: FileStamp) -> Data {
    let encoded = stamp.encoded
    var writer = ByteWriter(capacity: 512)
    writer.fixed(encoded)
    writer.integer(UInt32(encoded.count))
    writer.fixed(endMark)
    return writer.data
  }

  /// A stamp found at the end of a file, not yet verified, and the number of bytes before the
  /// stamp.
  struct Found {
    let stamp: FileStamp
    let contentSize: UInt64
  }

  /// Returns the stamp at the end of a file, or nil if the file does not end with one.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if there is an end mark without a readable stamp.
  static func find(in file: ContentFile) throws -> Found? {
    try find(count: file.size, name: file.path, form: .appended) {
      try file.bytes(at: $0, count: $1)
    }
  }

  /// Returns the stamp at the end of a sequence of bytes, or nil if it does not end with one.
  /// `read` returns the bytes of a range.
  static func find(
    count: UInt64, name: String, form: FileStamp.Form,
    _ read: (_ offset: UInt64, _ count: Int) throws -> Data
  ) throws -> Found? {
    guard count >= footerCount else { return nil }
    let footer = Array(try read(count - UInt64(footerCount), footerCount))
    guard footer.suffix(endMark.count).elementsEqual(endMark) else { return nil }
    let length = footer.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length <= FileStamp.longest, length <= count - UInt64(footerCount) else {
      throw damaged(name, "it claims \(length) bytes")
    }
    let contentSize = count - UInt64(footerCount) - length
    let stamp: FileStamp
    do {
      stamp = try FileStamp(
        decoding: read(contentSize, Int(length)), name: "The stamp at the end of \(name)")
    } catch AtRestError.Code.notStamped {
      throw damaged(name, "it does not begin like a stamp")
    }
    guard stamp.form == form else { throw damaged(name, "it is a stamp of another kind") }
    return Found(stamp: stamp, contentSize: contentSize)
  }

  private static func damaged(_ name: String, _ how: String) -> AtRestError {
    .damaged(
      "The stamp at the end of \(name) is damaged: \(how).",
      remedy: "Get the file from its source again.")
  }
}

extension FileStamp {
  /// Returns the stamp at the end of a file, or nil if the file does not end with one. The stamp
  /// is not verified.
  ///
  /// Use it to see which key and method a check will need.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/notPermitted``;
  ///   ``AtRestError/Code/invalidArgument`` if it is not a regular file;
  ///   ``AtRestError/Code/damaged`` if the file ends like a stamped one but has no readable stamp;
  ///   ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/system``.
  public static func appended(to file: URL) throws -> FileStamp? {
    try AppendedStamp.find(in: ContentFile(file))?.stamp
  }
}
