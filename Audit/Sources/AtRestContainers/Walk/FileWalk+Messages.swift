import AtRestFormats

/// Documents of Couchbase Lite, and Protocol Buffers messages, for which there is no schema.
extension FileWalk {
  /// The minimum confidence. Bytes that are less likely to be a message are only visited as bytes.
  private static let leastConfidence = 0.7
  private static let expectedConfidence = 0.2
  /// The maximum size in bytes of a value that is tested for being a message.
  private static let messageLimit = 4 << 20

  /// Visits the strings of a message, if the bytes are very likely to be one. Returns false if they are not.
  ///
  /// - Parameter isExpected: True if the bytes are at a place where messages are usual.
  @discardableResult
  func message(
    _ bytes: ArraySlice<UInt8>, _ place: Place, isExpected: Bool = false
  ) -> Bool {
    let least = isExpected ? Self.expectedConfidence : Self.leastConfidence
    guard (4...Self.messageLimit).contains(bytes.count), place.depth < limits.depth,
      let message = ProtobufMessage(Array(bytes)), message.confidence >= least
    else { return false }
    fields(message, path: "", place.at(.encoding("protobuf")).inside)
    return true
  }

  /// Visits the values of MessagePack, CBOR, or a structured clone of WebKit or Chromium. Returns false if the bytes are none
  /// of them.
  func record(_ bytes: ArraySlice<UInt8>, _ place: Place) -> Bool {
    guard let first = bytes.first, first >= 0x80 || (1...32).contains(first),
      place.depth < limits.depth, (5...Self.messageLimit).contains(bytes.count)
    else { return false }
    let whole = Array(bytes)
    if first == 0xFF || first < 0x80 && whole[1...4].contains(0xFF),
      let root = V8Value.read(whole, limit: decodeLimit), countDecoded(whole.count, place)
    {
      node(root, path: "", place.at(.encoding("structured clone")).inside)
      return true
    }
    let formats: [(String, ([UInt8]) -> PropertyList.Node?)] =
      first >= 0x80
      ? [("msgpack", MessagePackReader.read), ("cbor", CBORReader.read)]
      : [("structured clone", StructuredClone.read)]
    for (name, read) in formats {
      guard let root = read(whole) else { continue }
      node(root, path: "", place.at(.encoding(name)).inside)
      return true
    }
    return false
  }

  /// Visits the fields of a message. The depth is limited to ``ProtobufMessage/depthLimit``.
  private func fields(_ message: ProtobufMessage, path: String, _ place: Place) {
    for field in message.fields {
      if isStopped { return }
      let inner = path.isEmpty ? "\(field.number)" : "\(path).\(field.number)"
      switch field.value {
      case .text(let text): value(text, place.at(.keyPath(inner)))
      case .message(let message): fields(message, path: inner, place)
      case .bytes(let bytes): value(bytes[...], place.at(.keyPath(inner)))
      default: break
      }
    }
  }

  /// Visits the values of a document. Returns false if the bytes are not a document.
  func fleece(_ bytes: ArraySlice<UInt8>, sharedKeys: [String], _ place: Place) -> Bool {
    guard
      let document = try? FleeceDocument(Array(bytes), sharedKeys: sharedKeys, path: "")
    else { return false }
    guard document.root.entries != nil || document.root.array != nil, mayOpen(place) else {
      return false
    }
    say(document.skipped, place)
    node(document.root, path: "", place.at(.encoding("fleece")).inside)
    return true
  }

  /// The keys that a database's documents refer to by number.
  static func sharedKeys(of file: SQLiteFile) -> [String] {
    guard let table = file.table("kv_info") else { return [] }
    let columns = table.columns.map { $0.name.lowercased() }
    guard let key = columns.firstIndex(of: "key"), let body = columns.firstIndex(of: "body") else {
      return []
    }
    var keys: [String] = []
    _ = file.forEachRow(of: table) { row in
      guard max(key, body) < row.values.count, row.values[key].string == "SharedKeys",
        case .blob(let bytes) = row.values[body],
        let document = try? FleeceDocument(Array(bytes), path: "")
      else { return }
      keys = document.root.strings
    }
    return keys
  }
}
