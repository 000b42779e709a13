import AtRestAuditModel
import AtRestFormats
import Foundation

/// A page of HTML, such as one that an app shows in a web view.
package struct PageFile: Sendable {
  package let path: String
  /// The places of the fields that ask for a password.
  package let passwordFields: [Location]

  /// Finds the fields in a page. Comments are left out.
  package static func read(_ data: Data, path: String) -> PageFile {
    let bytes = [UInt8](data)
    let found = fields(in: bytes)
    guard !found.isEmpty else { return PageFile(path: path, passwordFields: []) }
    let lines = LineTable(bytes)
    return PageFile(
      path: path,
      passwordFields: found.map { range in
        Location(
          path: path, start: lines.position(of: Int32(range.lowerBound)),
          end: lines.position(of: Int32(range.upperBound)))
      })
  }

  /// Returns true for HTML with a field for a password.
  package static func asksForPassword(_ text: String) -> Bool {
    text.utf8.count > 20 && text.utf8.contains(UInt8(ascii: "<"))
      && !fields(in: Array(text.utf8)).isEmpty
  }

  private static let input = Array("<input".utf8)
  private static let comment = Array("<!--".utf8)
  private static let commentEnd = Array("-->".utf8)

  /// Returns the ranges of the tags `<input type="password">`.
  private static func fields(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = start + 1
      if bytes[start...].starts(with: comment) {
        while index < bytes.count, !bytes[index...].starts(with: commentEnd) { index += 1 }
        continue
      }
      let name = bytes[start...].prefix(input.count)
      guard name.elementsEqual(input, by: { $0 == $1 || $0 | 0x20 == $1 }) else { continue }
      let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
      index = end
      let tag = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
        .filter { !$0.isWhitespace && $0 != "\\" }
      if ["type=\"password\"", "type='password'", "type=password"].contains(where: tag.contains) {
        found.append(start..<min(end + 1, bytes.count))
      }
    }
    return found
  }
}
