/// Whether what a file holds can be read by whoever has it.
public enum ContentVerdict: String, CaseIterable, Codable, Sendable {
  case plaintext
  /// Base64 or hexadecimal throughout.
  case encoded
  /// Packed, or media that are packed: told by its first bytes.
  case compressed
  /// As even as chance, and of no format that packs: only encryption looks so.
  case encrypted
  /// Too small or too mixed to tell.
  case unknown
}
