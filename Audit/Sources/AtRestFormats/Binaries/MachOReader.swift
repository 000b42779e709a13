import Foundation

/// Reads the parts of a program and records what it skips.
struct MachOReader {
  private static let commandLimit = 16 << 20
  private static let textLimit = 4096
  private static let propertyListLimit = 4 << 20
  private static let importBytesLimit = 16 << 20

  let source: ByteSource
  let path: String
  private(set) var skipped: [Skip] = []
  private var importRoom = MachO.importLimit
  private var importBytesRoom = importBytesLimit

  init(source: ByteSource, path: String) {
    self.source = source
    self.path = path
  }

  private mutating func skip(_ reason: String) {
    let skip = Skip(path: path, reason: reason)
    if !skipped.contains(skip) { skipped.append(skip) }
  }

  mutating func slices(isWide: Bool) throws(FormatError) -> [Range<Int>] {
    let head = try source.prefix(8 + 45 * 32)
    let count = head.bigEndian(at: 4, size: 4) ?? 0
    var ranges: [Range<Int>] = []
    for index in 0..<count {
      let place = 8 + index * (isWide ? 32 : 20)
      let offset = head.bigEndian(at: isWide ? place + 9 : place + 8, size: isWide ? 7 : 4)
      let size = head.bigEndian(at: isWide ? place + 17 : place + 12, size: isWide ? 7 : 4)
      guard let offset, let size, offset <= source.count, size <= source.count - offset else {
        skip("A part of the program extends beyond the end of the file.")
        continue
      }
      let range = offset..<offset + size
      guard !ranges.contains(where: range.overlaps) else {
        skip("Parts of the program overlap.")
        continue
      }
      ranges.append(range)
    }
    return ranges
  }

  mutating func part(in range: Range<Int>) throws(FormatError) -> MachO.Part? {
    let head = try source.read(range.lowerBound..<min(range.lowerBound + 32, range.upperBound))
    guard head.count >= 28, let magic = head.littleEndian(at: 0, size: 4) else { return nil }
    switch magic {
    case 0xFEED_FACE, 0xFEED_FACF: break
    case 0xCEFA_EDFE, 0xCFFA_EDFE:
      skip("A part of the program is big-endian, which is not supported.")
      return empty(range)
    default: return nil
    }
    let isWide = magic == 0xFEED_FACF
    let start = range.lowerBound + (isWide ? 32 : 28)
    guard let size = head.littleEndian(at: 20, size: 4), size <= Self.commandLimit,
      start <= range.upperBound, size <= range.upperBound - start,
      let count = head.littleEndian(at: 16, size: 4)
    else {
      skip("The load commands of the program are cut off.")
      return empty(range)
    }
    var commands = MachOCommands(isWide: isWide, part: range)
    if !commands.read(try source.read(start..<start + size), count: count) {
      skip("The load commands of the program are damaged.")
    }
    return MachO.Part(
      architecture: Self.architecture(
        head.littleEndian(at: 4, size: 4) ?? 0, head.littleEndian(at: 8, size: 3) ?? 0),
      offset: range.lowerBound, size: range.count, libraries: commands.libraries,
      imports: try imports(commands, in: range), encryptedRange: commands.encrypted,
      entitlements: try entitlements(commands.signature, in: range),
      infoPropertyList: try propertyList(
        commands.sections.first { $0.name == "__info_plist" }?.range, name: "Info.plist"),
      sections: commands.sections)
  }

  private func empty(_ range: Range<Int>) -> MachO.Part {
    MachO.Part(
      architecture: "unknown", offset: range.lowerBound, size: range.count, libraries: [],
      imports: [], encryptedRange: 0..<0, entitlements: nil, infoPropertyList: nil, sections: [])
  }

  private static func architecture(_ type: Int, _ subtype: Int) -> String {
    switch (type, subtype) {
    case (0x0100_000C, 2): "arm64e"
    case (0x0100_000C, _): "arm64"
    case (0x0200_000C, _): "arm64_32"
    case (12, 9): "armv7"
    case (12, 11): "armv7s"
    case (12, 12): "armv7k"
    case (12, _): "arm"
    case (0x0100_0007, _): "x86_64"
    case (7, _): "i386"
    default: "cpu \(type)"
    }
  }

  // MARK: Symbols

  /// The names of symbols without a definition, each once.
  private mutating func imports(
    _ commands: MachOCommands, in part: Range<Int>
  ) throws(FormatError) -> [String] {
    guard let symbols = commands.symbols else { return [] }
    let size = commands.isWide ? 16 : 12
    let table = part.lowerBound + symbols.offset
    let names = part.lowerBound + symbols.names
    guard symbols.offset <= part.count, symbols.count <= (part.count - symbols.offset) / size,
      symbols.names <= part.count, symbols.namesSize <= part.count - symbols.names
    else {
      skip("The symbols of the program are cut off.")
      return []
    }
    var window = ByteWindow(source)
    var nameWindow = ByteWindow(source)
    var seen: Set<Int> = []
    var result: [String] = []
    for index in 0..<symbols.count {
      let entry = try window.read(at: table + index * size, count: size)
      // An undefined external symbol that is not for debugging.
      guard entry[4] & 0xE0 == 0, entry[4] & 0x0F == 1,
        let place = entry.littleEndian(at: 0, size: 4), place < symbols.namesSize,
        seen.insert(place).inserted
      else { continue }
      guard importRoom > 0, importBytesRoom > 0 else {
        skip("Imported symbols after the first \(result.count) are skipped.")
        break
      }
      let length = min(Self.textLimit, symbols.namesSize - place)
      let bytes = try nameWindow.read(at: names + place, count: length)
      let name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      importRoom -= 1
      importBytesRoom -= name.utf8.count
      if !name.isEmpty { result.append(name) }
    }
    return result
  }

  // MARK: Property lists

  /// Reads the blob of type 5 in the signature's list of blobs. All numbers are big-endian.
  private mutating func entitlements(
    _ signature: Range<Int>?, in part: Range<Int>
  ) throws(FormatError) -> PropertyList? {
    guard let signature else { return nil }
    guard signature.lowerBound >= part.lowerBound, signature.upperBound <= part.upperBound else {
      skip("The signature of the program is cut off.")
      return nil
    }
    let head = try source.read(
      signature.lowerBound..<min(signature.lowerBound + 12 + 8 * 64, signature.upperBound))
    guard head.bigEndian(at: 0, size: 4) == 0xFADE_0CC0,
      let count = head.bigEndian(at: 8, size: 4)
    else {
      skip("The signature of the program is damaged.")
      return nil
    }
    for index in 0..<min(count, 64) {
      guard head.bigEndian(at: 12 + 8 * index, size: 4) == 5,
        let offset = head.bigEndian(at: 16 + 8 * index, size: 4), offset <= signature.count - 8
      else { continue }
      let start = signature.lowerBound + offset
      let blob = try source.read(start..<start + 8)
      guard blob.bigEndian(at: 0, size: 4) == 0xFADE_7171,
        let size = blob.bigEndian(at: 4, size: 4), size >= 8, size <= signature.count - offset
      else {
        skip("The entitlements of the program are damaged.")
        continue
      }
      return try propertyList(start + 8..<start + size, name: "entitlements")
    }
    return nil
  }

  private mutating func propertyList(
    _ range: Range<Int>?, name: String
  ) throws(FormatError) -> PropertyList? {
    guard let range, !range.isEmpty else { return nil }
    guard range.count <= Self.propertyListLimit else {
      skip("The program's \(name) is larger than \(Self.propertyListLimit) bytes.")
      return nil
    }
    return PropertyList.read(Data(try source.read(range)), path: path)
  }
}
