/// Keys of stores, which an app chooses. Most are UTF-8, but any bytes may be one.
enum StoreKey {
  /// Returns true for UTF-8 without control characters.
  static func isText(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && String(validating: bytes, as: UTF8.self) != nil
  }

  /// The text of a key, which is in Latin-1 if it is not in UTF-8.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }
}
