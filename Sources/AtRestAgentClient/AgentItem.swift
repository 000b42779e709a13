import AtRestKeychain
import Foundation

/// An item in the answer to a list, without its secret.
public struct AgentItem: Sendable, Codable {
  /// The identifying attributes.
  public let key: PrimaryKey
  /// All attributes.
  public let attributes: ItemAttributes
  /// The name of the accessibility.
  public let accessible: String

  /// Creates a description of an item.
  public init(_ item: KeychainItem) {
    key = item.primaryKey
    attributes = item.attributes
    accessible = item.protection.accessibility.name
  }
}

/// The answer to a list.
public struct AgentItems: Sendable, Codable {
  /// The readable items.
  public let items: [AgentItem]
  /// The codes of the reasons why other items are withheld, one per item.
  public let withheld: [String]

  /// Creates an answer.
  public init(items: [AgentItem], withheld: [String]) {
    self.items = items
    self.withheld = withheld
  }
}
