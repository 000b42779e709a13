import AtRestFormats
import Foundation

extension ContainerFuzzTarget {
  private static let limit = 1 << 20

  /// Reads one input with the reader of a format, and checks that all results are within the input.
  ///
  /// - Throws: ``Fault`` if a result is not.
  func readFormat(_ bytes: [UInt8]) throws {
    let source = ByteSource(bytes)
    var places: [Range<Int>] = []
    var unpacked = 0
    _ = FileType.read(bytes, isWhole: true)
    switch self {
    case .keyedArchive:
      _ = KeyedArchive(PropertyList.read(Data(bytes), path: "a.plist"))
    case .cookies:
      _ = try? BinaryCookies.read(source, path: "a") { places.append($0.offset..<$0.offset + 56) }
    case .keyboard:
      _ = try? KeyboardLexicon.read(source, path: "a") { places.append($0.offset..<$0.offset + 1) }
    case .tar:
      _ = try? TarArchive.read(source, path: "a") { places.append($0.offset..<$0.offset + $0.size) }
    case .zip:
      guard let archive = try? ZipArchive(source) else { return }
      for entry in archive.entries.prefix(100) {
        unpacked = 0
        try? archive.read(entry, limit: Self.limit) { unpacked += $0.count }
      }
    case .inflate:
      try? Gzip.read(source, limit: Self.limit) { unpacked += $0.count }
      _ = try? Inflate.bytes(of: bytes, as: .raw, limit: Self.limit)
      _ = try? Inflate.bytes(of: bytes, as: .zlib, limit: Self.limit)
      for format in PackedStream.Format.allCases {
        var count = 0
        _ = try? PackedStream.read(
          source, in: 0..<bytes.count, as: format, limit: Self.limit
        ) { count += $0.count }
        unpacked = max(unpacked, count)
      }
      _ = HeadlessStream.unpack(bytes[...], limit: Self.limit)
    case .lz4:
      try? LZ4Frame.read(source, limit: Self.limit) { unpacked += $0.count }
      unpacked = 0
      _ = try? AppleBlocks.read(source, limit: Self.limit) { unpacked += $0.count }
      unpacked = 0
      _ = try? UnifiedLog.read(source, limit: Self.limit, path: "a") { chunk in
        if chunk.isPacked { unpacked += chunk.bytes.count }
      }
    case .realm:
      try? RealmFile.read(source) { places.append($0.offset..<$0.offset + $0.text.utf8.count) }
    case .machO:
      let program = try? MachO(source, path: "a")
      for part in program?.parts ?? [] {
        places += part.sections.map(\.range) + [part.encryptedRange]
      }
    case .profile: _ = try? ProvisioningProfile(source, path: "a")
    case .protobuf:
      _ = ProtobufMessage(bytes)
      _ = MessagePackReader.read(bytes)
      _ = CBORReader.read(bytes)
      _ = StructuredClone.read(bytes)
    case .fleece: _ = try? FleeceDocument(bytes, path: "a")
    default: break
    }
    if let place = places.first(where: { $0.lowerBound < 0 || $0.upperBound > bytes.count }) {
      throw Fault(description: "\(place) is outside the \(bytes.count) bytes of the input.")
    }
    if unpacked > Self.limit { throw Fault(description: "\(unpacked) bytes were unpacked.") }
  }
}
