import AtRestKeychain

/// An item that a backup or a restore left out, in JSON.
struct LeftOutResult: Encodable {
  let kind: String
  let item: String
  let accessible: String
  let reason: String

  private enum CodingKeys: String, CodingKey {
    case kind = "class"
    case item, accessible, reason
  }

  init(_ item: LeftOutItem) {
    kind = item.primaryKey.itemClass.name
    self.item = item.primaryKey.words
    accessible = item.accessibility.name
    reason = item.reason.rawValue
  }
}
