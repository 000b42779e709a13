extension PropertyList {
  /// Reads JSON, whatever its first character is taken for elsewhere.
  package static func json(_ bytes: [UInt8], path: String) -> PropertyList {
    var reader = TextPropertyListReader(path: path, bytes: bytes, dialect: .json)
    return reader.read()
  }
}
