/// What a program or library for Apple's systems says of itself: thin, or fat with a part a processor.
///
/// Reads the header, the load commands and what they refer to, each up to a limit; nothing of the code.
/// The layout is that of `mach-o/loader.h`.
package struct MachO: Sendable {
  /// More imported symbols are left out, of all parts together.
  package static let importLimit = 200_000

  package let parts: [Part]
  package let skipped: [Skip]

  /// The program for one processor.
  package struct Part: Sendable {
    /// `arm64`, `x86_64` …, or the number of an unknown one.
    package let architecture: String
    /// Where it begins, in bytes from the start of the file.
    package let offset: Int
    package let size: Int
    package let libraries: [String]
    /// Symbols that a library must have, `_SecItemAdd`.
    package let imports: [String]
    /// The bytes that the store's encryption covers; empty once they are decrypted.
    package let encryptedRange: Range<Int>
    /// What the signature grants, if it is in the file and written as XML.
    package let entitlements: PropertyList?
    /// The `Info.plist` within the program.
    package let infoPropertyList: PropertyList?
    package let sections: [Section]

    package var isEncrypted: Bool { !encryptedRange.isEmpty }
  }

  package struct Section: Hashable, Sendable {
    package let segment: String
    package let name: String
    /// In bytes from the start of the file.
    package let range: Range<Int>

    /// Whether it holds texts with a zero behind each.
    package var holdsTexts: Bool {
      ["__cstring", "__objc_methname", "__objc_classname", "__oslogstring", "__ustring"]
        .contains(name)
    }
  }

  /// - Parameter path: The file's name in what is left out.
  /// - Throws: ``FormatError`` if it is none, or cannot be read.
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
        throw FormatError("This is no program of Apple's systems.", offset: 0)
      }
      parts.append(part)
    }
    self.parts = parts
    skipped = reader.skipped
  }

  /// Reads the texts of a section that ``Section/holdsTexts``.
  ///
  /// - Parameter each: Called with each text that is not empty and where it begins in the file.
  /// - Throws: ``FormatError`` if the file cannot be read.
  package static func texts(
    of section: Section, in source: ByteSource, each: (_ text: String, _ offset: Int) -> Void
  ) throws(FormatError) {
    let isWide = section.name == "__ustring"
    let scan = StringsScan(encodings: [isWide ? .utf16LittleEndian : .utf8], minimum: 1)
    try scan.read(source, in: section.range) { each($0.text, $0.offset) }
  }

  /// Whether a fat file has offsets of 64 bits; nothing if it is no fat file.
  private static func isFat(_ head: [UInt8]) -> Bool? {
    guard let count = head.bigEndian(at: 4, size: 4), count < 45 else { return nil }
    switch head.bigEndian(at: 0, size: 4) {
    case 0xCAFE_BABE: return false
    case 0xCAFE_BABF: return true
    default: return nil
    }
  }
}
