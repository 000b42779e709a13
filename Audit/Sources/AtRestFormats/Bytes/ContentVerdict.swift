/// An assessment of whether anyone who has a file can read its contents.
public enum ContentVerdict: String, CaseIterable, Codable, Sendable {
  case plaintext
  /// The contents are Base64 or hexadecimal throughout.
  case encoded
  /// The contents are compressed, such as an archive or media, according to the first bytes.
  case compressed
  /// The contents are as uniform as random bytes, and in no known compressed format. Only
  /// encryption looks like this.
  case encrypted
  /// The contents are too small or too mixed to decide.
  case unknown
}
