/// The metadata of a program or library for Apple's systems: thin, or fat with one part per
/// processor.
///
/// Reads the header, the load commands and the tables that they refer to, each up to a limit. The
/// code itself is not read. The layout is that of `mach-o/loader.h`.
package struct MachO: Sendable {
  /// The maximum number of imported symbols of all parts together. Further symbols are skipped.
  package static let importLimit = 200_000

  package let parts: [Part]
  package let skipped: [Skip]

  /// The program for one processor.
  package struct Part: Sendable {
    /// The processor, such as `arm64` or `x86_64`, or the number of an unknown one.
    package let architecture: String
    /// The offset of the part in the file, in bytes.
    package let offset: Int
    package let size: Int
    package let libraries: [String]
    /// The symbols that a library must provide, such as `_SecItemAdd`.
    package let imports: [String]
    /// The bytes that the App Store's encryption covers. Empty once they are decrypted.
    package let encryptedRange: Range<Int>
    /// The entitlements that the signature grants, if it is in the file and has them as XML.
    package let entitlements: PropertyList?
    /// The `Info.plist` inside the program.
    package let infoPropertyList: PropertyList?
    package let sections: [Section]

    package var isEncrypted: Bool { !encryptedRange.isEmpty }
  }

  package struct Section: Hashable, Sendable {
    package let segment: String
    package let name: String
    /// The range of the section in the file, in bytes.
    package let range: Range<Int>

    /// True if the section holds zero-terminated strings.
    package var holdsTexts: Bool {
      ["__cstring", "__objc_methname", "__objc_classname", "__oslogstring", "__ustring"]
        .contains(name)
    }
  }

  /// Reads a program or library.
  ///
  /// - Parameter path: The file's name in ``skipped``.
  /// - Throws: ``FormatError`` if the source is not a Mach-O file, or cannot be read.
  package init(_ source: ByteSource, path: String) throws(FormatError) {
    let head = try source.prefix(8)
    var parts: [Part] = []
    var reader = MachOReader(source: source, path: path)
    if let isWide = Self.isFat(head) {
      for range in try reader.slices(isWide: isWide) {
        if let part = try reader.part(in: range) { parts.append(part) }
      }
    } else {
      guard let part = try reader.part(in: 0..<source.count) else {
        throw FormatError("This is not a Mach-O program or library.", offset: 0)
      }
      parts.append(part)
    }
    self.parts = parts
    skipped = reader.skipped
  }

  /// Reads the strings of a section for which ``Section/holdsTexts`` is true.
  ///
  /// - Parameter each: Called with each text that is not empty, and its offset in the file.
  /// - Throws: ``FormatError`` if the file cannot be read.
  package static func texts(
    of section: Section, in source: ByteSource, each: (_ text: String, _ offset: Int) -> Void
  ) throws(FormatError) {
    let isWide = section.name == "__ustring"
    let scan = StringsScan(encodings: [isWide ? .utf16LittleEndian : .utf8], minimum: 1)
    try scan.read(source, in: section.range) { each($0.text, $0.offset) }
  }

  /// Returns true if a fat file has 64-bit offsets, false for 32-bit offsets, and nil for other
  /// files.
  private static func isFat(_ head: [UInt8]) -> Bool? {
    guard let count = head.bigEndian(at: 4, size: 4), count < 45 else { return nil }
    switch head.bigEndian(at: 0, size: 4) {
    case 0xCAFE_BABE: return false
    case 0xCAFE_BABF: return true
    default: return nil
    }
  }
}
