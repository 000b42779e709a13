import AtRestFormats

extension ContainerFuzzTarget {
  private static let limit = 1 << 20

  /// Reads one input as a store of keys and values, a stream of events, an index or an image.
  func readStore(_ bytes: [UInt8]) throws {
    let source = ByteSource(bytes)
    var size = 0
    var places: [Range<Int>] = []
    switch self {
    case .levelDB:
      // Checksums would keep nearly all inputs from the readers.
      for isChecked in [true, false] {
        _ = try? LevelDBLog.read(source, path: "a", isChecked: isChecked) { record in
          places.append(record.offset..<record.offset + 1)
        }
        size = 0
        _ = try? LevelDBTable.read(
          source, limit: Self.limit, path: "a", isChecked: isChecked
        ) { size += $0.key.count + ($0.value?.count ?? 0) }
        try check(size <= 2 * Self.limit, "\(size) bytes of records were unpacked.")
      }
      if let start = LevelDBLog.firstRecord(source) {
        _ = try? LevelDBLog.read(source, path: "a", from: start) { record in
          places.append(record.offset..<record.offset + 1)
        }
      }
      _ = V8Value.read(bytes, limit: Self.limit)
      _ = IndexedDBKey(bytes)
      let unpacked = Snappy.unpack(bytes[...], limit: Self.limit)
      try check((unpacked?.count ?? 0) <= Self.limit, "Snappy exceeded its limit.")
    case .segb:
      _ = try? SEGBFile.read(source, path: "a") { record in
        places.append(record.offset..<record.offset + record.data.count)
      }
    case .fullText:
      for version in [FullTextTerms.Version.fts3, .fts5] {
        size = 0
        FullTextTerms.read(bytes[...], version) { size += $0.utf8.count }
        // Invalid UTF-8 becomes three times as long.
        try check(size <= 3 * 64 * bytes.count, "\(size) bytes of words were read.")
      }
    default:
      for type in [FileType.png, .jpeg, .ktx] {
        try? ImageTexts.read(source, type) { _, text in size += text.count }
      }
      _ = try? ImageSize(source)
    }
    for place in places {
      try check(
        place.lowerBound >= 0 && place.upperBound <= bytes.count,
        "\(place) is outside the \(bytes.count) bytes of the input.")
    }
  }

  private func check(_ isRight: Bool, _ description: String) throws {
    if !isRight { throw Fault(description: description) }
  }
}
