import AtRestFormats

extension ContainerFuzzTarget {
  /// The size of what may be the file beside a store of MMKV, at the beginning of an input.
  private static let stateSize = 112

  /// Reads one input as a store of keys and values of a mobile app.
  func readKeyValues(_ bytes: [UInt8]) throws {
    var places: [Range<Int>] = []
    let source = ByteSource(bytes)
    switch self {
    case .mmkv:
      func add(_ record: MMKVRecord) {
        let size = record.value?.count ?? 0
        places.append(record.offset..<record.offset + max(1, size))
        if let value = record.value {
          for expires in [false, true] { _ = MMKVRecord.content(of: value, expires: expires) }
        }
      }
      _ = try? MMKVStore.read(source, path: "a", each: add)
      // With any file beside it, which an input has at its beginning.
      let state = MMKVState(ByteSource(Array(bytes.prefix(Self.stateSize))))
      let rest = ByteSource(Array(bytes.dropFirst(Self.stateSize)))
      _ = try? MMKVStore.read(rest, state, path: "a", each: add)
      if let state { _ = try? MMKVStore.isEncrypted(rest, state) }
    case .lmdb:
      _ = try? LMDBFile.read(source, path: "a") { record in
        places.append(record.offset..<record.offset + 1)
      } remnant: { remnant in
        places.append(remnant.offset..<remnant.offset + remnant.bytes.count)
      }
    default:
      _ = HiveValue.read(bytes)
      guard let box = HiveBox(source) else { return }
      _ = try? box.read(path: "a") { record in
        places.append(record.offset..<record.offset + 1)
        _ = record.value.map { HiveValue.read($0) }
      }
    }
    for place in places where place.lowerBound < 0 || place.upperBound > bytes.count {
      throw Fault(description: "\(place) is outside the \(bytes.count) bytes of the input.")
    }
  }
}
