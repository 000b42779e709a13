import AtRestCrypto
@_spi(Tools) import AtRestKeychain

/// Requests about generic passwords, as the keychain of a client sends them.
@_spi(Tools) extension AgentRequest {
  public static func get(_ key: PrimaryKey, groups: [String]) -> AgentRequest {
    .perform(.secret(.key(key)), groups: groups)
  }

  public static func set(
    _ key: PrimaryKey, secret: AgentSecret, accessible: Accessibility, groups: [String]
  ) -> AgentRequest {
    .perform(.set(key, [:], .accessible(accessible), secret: secret), groups: groups)
  }

  public static func delete(_ key: PrimaryKey, groups: [String]) -> AgentRequest {
    .perform(.delete(.key(key)), groups: groups)
  }

  public static func list(
    _ itemClass: ItemClass, _ attributes: ItemAttributes, groups: [String]
  ) -> AgentRequest {
    .perform(
      .items(.query(KeychainQuery(itemClass, attributes, synchronizable: .any)), secrets: false),
      groups: groups, context: AgentContext(interaction: .skip))
  }
}
