import Foundation

/// Reads the entries of a tar archive header by header: ustar, pax, and GNU's long names.
package enum TarArchive {
  /// The maximum size of a long name or pax header, in bytes. Larger ones are skipped.
  static let nameLimit = 1 << 20

  package struct Entry: Hashable, Sendable {
    package let name: String
    package let kind: Kind
    /// The offset of the entry's contents in the source, in bytes.
    package let offset: Int
    /// The size of the contents in bytes. The contents are always within the source.
    package let size: Int
    /// The path that a link refers to.
    package let target: String?
    package let modified: Date?
    /// The names of the extended attributes that the archive has of the entry, without their values.
    package let extendedAttributes: [String]
  }

  package enum Kind: String, Sendable {
    case file, folder
    case symbolicLink = "symbolic link"
    case hardLink = "hard link"
    /// A device or a pipe.
    case other
  }

  /// Returns true if the first 512 bytes are the header of an entry, according to their checksum.
  package static func isHeader(_ head: [UInt8]) -> Bool {
    guard head.count >= 512, head[0] != 0, let claimed = octal(head[148..<156]) else {
      return false
    }
    var unsigned = 0
    var signed = 0
    for (index, byte) in head[..<512].enumerated() {
      let counted = (148..<156).contains(index) ? 0x20 : byte
      unsigned += Int(counted)
      signed += Int(Int8(bitPattern: counted))
    }
    return claimed == unsigned || claimed == signed
  }

  /// Reads every entry, in the order of the archive.
  ///
  /// - Parameters:
  ///   - path: The archive's name in the returned skips.
  ///   - each: Called with each entry as it is read. Its contents can be read from the source.
  /// - Returns: The parts that are damaged, cut off, or stored as sparse files.
  /// - Throws: ``FormatError`` if the source is not a tar archive, or cannot be read.
  package static func read(
    _ source: ByteSource, path: String, each: (Entry) -> Void
  ) throws(FormatError) -> [Skip] {
    guard isHeader(try source.prefix(512)) else {
      throw FormatError("This is not a tar archive.", offset: 0)
    }
    var window = ByteWindow(source)
    var skips: [Skip] = []
    func skip(_ reason: String, _ offset: Int) {
      if skips.count < 100 {
        skips.append(Skip(path: path, reason: "\(reason) (At byte \(offset).)"))
      }
    }
    var offset = 0
    var attributes = Attributes()
    while offset <= source.count - 512 {
      let head = try window.read(at: offset, count: 512)
      if head.allSatisfy({ $0 == 0 }) { return skips }
      guard isHeader(head), let written = number(head[124..<136]) else {
        skip("The tar archive is damaged from here on.", offset)
        return skips
      }
      let start = offset + 512
      let type = head[156]
      // The size field of a link or a folder does not count contents.
      let hasContents = !(UInt8(ascii: "1")...UInt8(ascii: "6")).contains(type)
      let isHeader = [UInt8(ascii: "x"), UInt8(ascii: "g"), UInt8(ascii: "L"), UInt8(ascii: "K")]
        .contains(type)
      let size = hasContents ? (isHeader ? written : attributes.size ?? written) : 0
      guard size <= source.count - start else {
        skip("The tar archive is cut off within an entry.", offset)
        return skips
      }
      if isHeader {
        if size <= nameLimit {
          attributes.read(try window.read(at: start, count: size), type: type)
        } else {
          skip("A header of the tar archive is larger than \(nameLimit) bytes.", offset)
        }
      } else if type == UInt8(ascii: "S") || attributes.isSparse {
        skip("The entry is stored as a sparse file: \(name(head, attributes))", offset)
        attributes = Attributes(global: attributes.global)
      } else {
        each(entry(head, attributes, offset: start, size: size))
        attributes = Attributes(global: attributes.global)
      }
      offset = start + (size + 511) / 512 * 512
    }
    skip("The tar archive has no end marker.", min(offset, source.count))
    return skips
  }

  private static func entry(
    _ head: [UInt8], _ attributes: Attributes, offset: Int, size: Int
  ) -> Entry {
    let name = name(head, attributes)
    let kind: Kind
    switch head[156] {
    case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): kind = name.hasSuffix("/") ? .folder : .file
    case UInt8(ascii: "1"): kind = .hardLink
    case UInt8(ascii: "2"): kind = .symbolicLink
    case UInt8(ascii: "5"): kind = .folder
    default: kind = .other
    }
    let isLink = kind == .hardLink || kind == .symbolicLink
    return Entry(
      name: name, kind: kind, offset: offset, size: size,
      target: isLink ? attributes.target ?? text(head[157..<257]) : nil,
      modified: number(head[136..<148]).flatMap {
        $0 < 253_402_300_800 ? Date(timeIntervalSince1970: Double($0)) : nil
      }, extendedAttributes: attributes.extended)
  }

  private static func name(_ head: [UInt8], _ attributes: Attributes) -> String {
    if let name = attributes.name { return name }
    let name = text(head[0..<100])
    // GNU's own header has numbers at the offset at which ustar has the folder.
    guard head.has("ustar\0", at: 257), head[345] != 0 else { return name }
    return text(head[345..<500]) + "/" + name
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func octal(_ field: ArraySlice<UInt8>) -> Int? {
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self), radix: 8)
  }

  /// Decodes octal digits or, if the first bit is set, a big-endian number.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    guard let first = field.first, first & 0x80 != 0 else {
      return field.allSatisfy { $0 == 0 || $0 == 0x20 } ? 0 : octal(field)
    }
    guard first & 0x7F == 0, field.dropFirst().dropLast(7).allSatisfy({ $0 == 0 }) else {
      return nil
    }
    return Array(field.suffix(7)).bigEndian(at: 0, size: 7)
  }
}

extension TarArchive {
  /// The attributes of an entry that the headers before it declare.
  fileprivate struct Attributes {
    var name: String?
    var target: String?
    var size: Int?
    var isSparse = false
    var extended: [String] = []
    var global: [String: String] = [:]

    init(global: [String: String] = [:]) {
      self.global = global
      for (key, value) in global { set(key, value) }
    }

    mutating func read(_ bytes: [UInt8], type: UInt8) {
      switch type {
      case UInt8(ascii: "L"): name = TarArchive.text(bytes[...])
      case UInt8(ascii: "K"): target = TarArchive.text(bytes[...])
      case UInt8(ascii: "g"):
        // A global name would be meaningless, and would be read again for each entry.
        records(bytes) { key, value in
          guard key == "size" || key == Self.sparse else { return }
          global[key] = value
          set(key, value)
        }
      default: records(bytes) { key, value in set(key, value) }
      }
    }

    private mutating func set(_ key: String, _ value: String) {
      switch key {
      case "path": name = value
      case "linkpath": target = value
      case "size": size = Int(value).flatMap { $0 >= 0 ? $0 : nil }
      case Self.sparse: isSparse = true
      default:
        guard let space = Self.extendedSpaces.first(where: key.hasPrefix) else { return }
        extended.append(String(key.dropFirst(space.count)))
      }
    }

    /// Reads records like `27 path=some/name`: a length, a space, a key and a value, and a line
    /// feed.
    private func records(_ bytes: [UInt8], each: (String, String) -> Void) {
      var index = 0
      while index < bytes.count {
        let digits = bytes[index...].prefix(20).prefix { (0x30...0x39).contains($0) }
        guard let length = Int(String(decoding: digits, as: UTF8.self)),
          length > digits.count + 2, length <= bytes.count - index
        else { return }
        let record = bytes[index + digits.count + 1..<index + length - 1]
        if let equals = record.firstIndex(of: UInt8(ascii: "=")) {
          let key = String(decoding: record[..<equals], as: UTF8.self)
          let value = String(decoding: record[(equals + 1)...], as: UTF8.self)
          if Attributes.keys.contains(key)
            || Attributes.extendedSpaces.contains(where: key.hasPrefix)
          {
            each(key, value)
          }
          if key.hasPrefix(Attributes.sparse) { each(Attributes.sparse, value) }
        }
        index += length
      }
    }

    /// The prefix of the keys of a sparse entry.
    private static let sparse = "GNU.sparse."
    private static let keys: Set = ["path", "linkpath", "size"]
    /// The prefixes of the keys of extended attributes, of star and GNU tar, and of libarchive.
    private static let extendedSpaces = ["SCHILY.xattr.", "LIBARCHIVE.xattr."]
  }
}
