import Crypto
import Foundation

/// Steps that change files, stamps, envelopes, databases and the vault.
extension Life {
  static let fileClasses = [
    "complete", "complete-unless-open", "complete-until-first-authentication", "none",
  ]

  static func digest(_ data: Data) -> String {
    let hash = SHA256.hash(data: data).prefix(8).map { String(format: "%02x", $0) }.joined()
    return "\(data.count) \(hash)"
  }

  /// Contents that a worker makes of the same text and size.
  private func contents() -> (text: String, data: Data) {
    let text = "contents \(next()). "
    let size = [0, 1, 900, 1_024, 5_000, 40_000][number(below: 6)]
    let data = Data(String(repeating: text, count: size / text.utf8.count + 1).utf8).prefix(size)
    return (text, Data(data))
  }

  // MARK: Files

  private func file(_ protection: String, _ digest: String) -> LifeEntry {
    var entry = LifeEntry("\(protection)|\(digest)")
    if protection == "none" { entry.readable = .always }
    if protection.hasPrefix("complete-until") { entry.readable = .fromFirstUnlock }
    return entry
  }

  func changeFile() -> LifeStep {
    let name = "f\(number(below: 8))"
    let protection = Self.fileClasses[number(below: 4)]
    let (text, data) = contents()
    let fields = ["name": name, "class": protection, "text": text, "size": "\(data.count)"]
    guard let present = machine.entries["file/\(name)"] else {
      let original = scratch.folder.appendingPathComponent("runs/original")
      guard chance(60), (try? data.write(to: original)) != nil else {
        var step = worker("file write", "file-write", fields)
        step.effects = ["file/\(name)": file(protection, Self.digest(data))]
        return step
      }
      // Some files also open with a key that no store has.
      let hasSecondWayIn = chance(40)
      let recipient = scratch.folder.appendingPathComponent("runs/recipient.pem").path
      var step = command(
        "protect",
        ["protect", "--quiet", "--class", protection]
          + (hasSecondWayIn ? ["--recipient", recipient] : [])
          + ["-o", machine.file(name), original.path])
      step.effects = ["file/\(name)": file(protection, Self.digest(data))]
      if hasSecondWayIn { step.effects["second/\(name)"] = secondWayIn(Self.digest(data)) }
      // The file is there.
      step.again = [1]
      // The next step may replace the original.
      step.isShared = false
      return step
    }
    let parts = present.value.split(separator: "|").map(String.init)
    let second = "second/\(name)"
    let hasSecondWayIn = machine.entries[second] != nil
    var step: LifeStep
    switch number(below: 6) {
    case 0:
      step = worker("file write", "file-write", fields)
      step.effects = ["file/\(name)": file(protection, Self.digest(data))]
    case 1, 2:
      step = worker("file change", "file-change", fields)
      step.effects = ["file/\(name)": file(parts[0], Self.digest(data))]
      if hasSecondWayIn { step.effects[second] = secondWayIn(Self.digest(data)) }
    case 3:
      step = worker("file class", "file-class", fields)
      step.effects = ["file/\(name)": file(protection, parts[1])]
    default:
      step = command("rewrap", ["rewrap", "--class", protection, machine.file(name)])
      step.effects = ["file/\(name)": file(protection, parts[1])]
    }
    // A file that is written anew, or gets new readers, has only these.
    if hasSecondWayIn, step.effects[second] == nil { step.effects[second] = LifeEntry?.none }
    step.isAtomic = true
    return step
  }

  private func secondWayIn(_ digest: String) -> LifeEntry {
    var entry = LifeEntry(digest)
    entry.readable = .always
    return entry
  }

  /// Stamps a file that stays readable.
  func stamp() -> LifeStep {
    let name = "s\(next())"
    let (_, data) = contents()
    let url = machine.stamped(name)
    try? data.write(to: url)
    var step = command("stamp", ["stamp", "--key-name", "life", url.path])
    step.effects = ["stamp/\(name)": LifeEntry(Self.digest(data))]
    step.again = [1]
    return step
  }

  func changeEnvelope() -> LifeStep {
    guard machine.names("envelope/").isEmpty || chance(80) else {
      return worker("envelope rotate", "envelope-rotate", [:])
    }
    let name = "e\(number(below: 5))"
    let text = "letter \(next())"
    var step = worker("envelope seal", "envelope-seal", ["name": name, "text": text])
    step.effects = ["envelope/\(name)": LifeEntry(text)]
    return step
  }

  // MARK: Databases and the vault

  /// The options that name a database: `b` has larger pages than `a`.
  func databaseOptions(_ name: String) -> [String] {
    ["--item", "life\(name)"] + (name == "b" ? ["--page-size", "16384"] : [])
  }

  func changeRow() -> LifeStep {
    let name = chance(50) ? "a" : "b"
    let id = number(below: 12)
    let entry = "row/\(name)/\(id)"
    let text = String(repeating: "row \(next()) ", count: 1 + number(below: 40))
    let removes = machine.entries[entry] != nil && chance(30)
    let fields = ["name": name, "id": "\(id)", "text": text]
    var step: LifeStep
    if chance(50) {
      step = worker("row", removes ? "row-delete" : "row-insert", fields)
    } else {
      let sql =
        removes
        ? "DELETE FROM entry WHERE id = \(id)"
        : "INSERT OR REPLACE INTO entry VALUES (\(id), '\(text)')"
      step = command(
        "shell", ["database", "shell"] + databaseOptions(name) + [machine.database(name), sql])
    }
    step.effects = [entry: removes ? LifeEntry?.none : LifeEntry(text)]
    return step
  }

  func changeVault() -> LifeStep {
    let account = chance(70) ? "eva" : "adam"
    let fields = ["account": account]
    switch number(below: 10) {
    case 0 where !machine.names("value/\(account)/").isEmpty:
      var step = worker("log out", "log-out", fields)
      for kind in ["value", "preference"] {
        for name in machine.names("\(kind)/\(account)/") {
          step.effects["\(kind)/\(account)/\(name)"] = LifeEntry?.none
        }
      }
      return step
    case 1...3:
      let name = "p\(number(below: 4))"
      let text = "preference \(next())"
      var step = worker(
        "preference", "preference", fields.merging(["name": name, "text": text]) { $1 })
      step.effects = ["preference/\(account)/\(name)": LifeEntry(text)]
      return step
    default:
      let name = "life\(number(below: 5))"
      let entry = "value/\(account)/\(name)"
      if machine.entries[entry] != nil, chance(25) {
        var step = worker("value remove", "value-remove", fields.merging(["name": name]) { $1 })
        step.effects = [entry: LifeEntry?.none]
        return step
      }
      let (text, data) = contents()
      var step = worker(
        "value store", "value-store",
        fields.merging(["name": name, "text": text, "size": "\(data.count)"]) { $1 })
      step.effects = [entry: LifeEntry(Self.digest(data))]
      return step
    }
  }
}
