import Foundation

/// Steps that change items and key pairs.
extension Life {
  static let accessibilities = [
    "when-unlocked", "after-first-unlock", "always", "when-unlocked-this-device-only",
    "after-first-unlock-this-device-only", "always-this-device-only",
    "when-passcode-set-this-device-only",
  ]

  /// Returns a step that changes what the store protects.
  func change() -> LifeStep {
    switch number(below: 100) {
    case ..<28: changeItem()
    case ..<33: changeKeyPair()
    case ..<58: changeFile()
    case ..<63: stamp()
    case ..<70: changeEnvelope()
    case ..<86: changeRow()
    default: changeVault()
    }
  }

  /// The place of an item: `life3` is in an access group of its own, `lifenet` is a server.
  struct ItemPlace {
    let owner: String
    let account: String
    var name: String { "item/\(owner)/\(account)" }
    var group: String { owner == "life3" ? "life.other" : "atrest" }
    var isServer: Bool { owner == "lifenet" }

    var options: [String] {
      [isServer ? "--server" : "--service", owner, "--account", account]
        + (owner == "life3" ? ["--group", group] : [])
    }

    var fields: [String: String] {
      [isServer ? "server" : "service": owner, "account": account, "group": group]
    }

    init(_ owner: String, _ account: String) { (self.owner, self.account) = (owner, account) }

    /// The place of an entry `item/OWNER/ACCOUNT`.
    init(_ name: String) {
      let parts = name.split(separator: "/").map(String.init)
      self.init(parts[1], parts[2])
    }
  }

  func itemPlace() -> ItemPlace {
    ItemPlace(["life1", "life2", "life3", "lifenet"][number(below: 4)], "n\(number(below: 8))")
  }

  /// Returns the entry of an item.
  func item(
    _ place: ItemPlace, _ secret: String, label: String, accessible: String
  ) -> LifeEntry {
    LifeEntry(
      [accessible, place.group, label, secret].joined(separator: "|"), accessible: accessible)
  }

  /// Returns the accessibility, the label and the secret of an item that exists.
  func parts(of entry: LifeEntry) -> (accessible: String, label: String, secret: String) {
    let parts = entry.value.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    return (parts[0], parts[2], parts[3])
  }

  private func secret() -> String {
    let length = [4, 40, 400, 9_000][number(below: 4)]
    return String(String(repeating: "secret\(next()) ", count: length / 8 + 1).prefix(length + 8))
  }

  private func changeItem() -> LifeStep {
    let place = itemPlace()
    let secret = secret()
    guard let present = machine.entries[place.name] else { return add(place, secret) }
    let (accessible, label, _) = parts(of: present)
    let updated = item(place, secret, label: label, accessible: accessible)
    switch number(below: 8) {
    case 0, 1:
      var step = command("delete", ["delete"] + place.options)
      step.effects = [place.name: LifeEntry?.none]
      // An agent does not tell a program which items there are in groups that are not granted.
      step.again = agent == nil ? [3] : [3, 5]
      return step
    case 2:
      var step = worker("item delete", "delete", place.fields)
      step.effects = [place.name: LifeEntry?.none]
      step.again = [3]
      return step
    case 3:
      var step = command("update", ["update", "--secret"] + place.options, input: secret)
      step.effects = [place.name: updated]
      return step
    case 4 where place.group == "atrest" && !place.isServer: return pair(place, secret)
    default:
      var step = worker("item set", "set", place.fields.merging(["secret": secret]) { $1 })
      step.effects = [place.name: updated]
      return step
    }
  }

  private func add(_ place: ItemPlace, _ secret: String) -> LifeStep {
    let count = Self.accessibilities.count - (machine.passcode == nil ? 1 : 0)
    let accessible = Self.accessibilities[number(below: count)]
    let label = "label \(next())"
    var step =
      if chance(70) {
        command(
          "add", ["add", "--label", label, "--accessible", accessible] + place.options,
          input: secret)
      } else {
        worker(
          "item add", "add",
          place.fields.merging(["secret": secret, "label": label, "accessible": accessible]) { $1 })
      }
    step.effects = [place.name: item(place, secret, label: label, accessible: accessible)]
    step.again = [1]
    return step
  }

  /// Two items with the same secret, in one transaction.
  private func pair(_ place: ItemPlace, _ secret: String) -> LifeStep {
    let second = ItemPlace(place.owner, "n\(number(below: 8))")
    var step = worker(
      "item pair", "pair",
      place.fields.merging(["secret": secret, "second": second.account]) { $1 })
    for place in [place, second] {
      let old = machine.entries[place.name].map(parts)
      step.effects[place.name] = item(
        place, secret, label: old?.label ?? "", accessible: old?.accessible ?? "when-unlocked")
    }
    step.isAtomic = true
    return step
  }

  /// The value of a new key pair is not known before: see `LifeEntry.unknown`.
  private func changeKeyPair() -> LifeStep {
    let tag = "life\(number(below: 4))"
    if machine.entries["key/\(tag)"] != nil {
      var step = command("delete key", ["delete", "--tag", tag])
      step.effects = ["key/\(tag)": LifeEntry?.none]
      step.again = agent == nil ? [3] : [3, 5]
      return step
    }
    let accessible = Self.accessibilities[number(below: 6)]
    let algorithm = ["p256", "ed25519", "p384"][number(below: 3)]
    var step = command(
      "keygen", ["keygen", "--tag", tag, "--algorithm", algorithm, "--accessible", accessible])
    step.effects = ["key/\(tag)": LifeEntry(LifeEntry.unknown, accessible: accessible)]
    step.again = [1]
    return step
  }

  // MARK: Steps

  func command(_ verb: String, _ arguments: [String], input: String = "") -> LifeStep {
    let passcode = (try? passcodeOption(machine.passcode)) ?? []
    return LifeStep(verb, .command(arguments + passcode, input: input))
  }

  func worker(_ name: String, _ verb: String, _ fields: [String: String]) -> LifeStep {
    LifeStep(name, .worker(order(verb, fields)))
  }
}
