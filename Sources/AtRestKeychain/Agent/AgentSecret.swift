import AtRestCrypto

/// Secret bytes that several owners share, erased when the last one releases them.
@_spi(Tools) public final class AgentSecret: Sendable {
  /// The bytes.
  public let bytes: SecretBytes

  /// Takes over secret bytes.
  public init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}
