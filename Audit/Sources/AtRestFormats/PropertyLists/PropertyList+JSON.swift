extension PropertyList {
  /// Reads JSON, even if it begins like a text property list.
  package static func json(_ bytes: [UInt8], path: String) -> PropertyList {
    var reader = TextPropertyListReader(path: path, bytes: bytes, dialect: .json)
    return reader.read()
  }
}
