import Foundation
import Testing

/// Controls for `LifeTests`: what it looks for is found if it is there.
@Suite(.enabled(if: Recording.isPossible)) struct LifeControlTests {
  private static let place = Life.ItemPlace("life1", "control")

  /// Returns a life with a store, in which an item was acknowledged.
  private static func begun() throws -> Life {
    let life = try Life(seed: 7)
    try life.begin()
    var step = life.command("add", ["add"] + place.options, input: "a secret")
    step.effects = [
      place.name: life.item(place, "a secret", label: "", accessible: "when-unlocked")
    ]
    life.judge(step, try life.execute(step, .none))
    try life.resolve([step], isHit: false)
    try #require(life.report.faults.isEmpty, "\(life.report.faults)")
    return life
  }

  /// Changes the store behind the life's back.
  private static func change(_ life: Life, _ arguments: [String], input: String = "") throws {
    let step = life.command("change", arguments, input: input)
    #expect(try life.execute(step, .none).status == 0)
  }

  @Test func aLossIsReported() throws {
    let life = try Self.begun()
    try Self.change(life, ["delete"] + Self.place.options)
    try life.resolve([], isHit: false)
    #expect(life.report.faults.contains { $0.contains("item/life1/control is lost") })
  }

  @Test func anotherValueIsReported() throws {
    let life = try Self.begun()
    try Self.change(life, ["update", "--secret"] + Self.place.options, input: "another")
    try life.resolve([], isHit: false)
    #expect(life.report.faults.contains { $0.contains("item/life1/control is ") })
  }

  @Test func whatNobodyStoredIsReported() throws {
    let life = try Self.begun()
    try Self.change(life, ["add", "--service", "life2", "--account", "eva"], input: "x")
    try life.resolve([], isHit: false)
    #expect(life.report.faults.contains { $0.contains("should not be there") })
  }

  @Test func aWrongAnswerIsReported() throws {
    let life = try Self.begun()
    var step = life.command("get", ["get", "--service", "life1", "--account", "nobody"])
    life.judge(step, try life.execute(step, .none))
    #expect(life.report.faults.count == 1)
    step.codes = [3]
    life.judge(step, try life.execute(step, .none))
    #expect(life.report.faults.count == 1)
  }

  @Test func whatIsReadableAfterAWipeIsReported() throws {
    let life = try Self.begun()
    try life.useHolder()
    #expect(life.holder != nil && life.report.faults.isEmpty)
    try life.checkHolderAfterWipe()
    #expect(life.report.faults.contains { $0.contains("readable after a wipe: when-unlocked") })
    #expect(life.report.faults.contains { $0.contains("added after a wipe") })
  }

  /// A call that fails is one that the program makes, and a program that was killed did not end itself.
  @Test func faultsHappen() throws {
    let life = try Self.begun()
    let step = life.command("update", ["update", "--secret"] + Self.place.options, input: "new")
    guard case .command(let arguments, let input) = step.run else { return }
    func run(_ fault: [String]) throws -> LifeOutcome {
      try life.programs.run(
        life.programs.command, arguments, input: input, on: life.machine, tpm: nil, fault: fault)
    }
    let whole = try run(["0", "0", "0", "0"])
    #expect(whole.status == 0 && whole.calls > 3 && !whole.isHit)
    let killed = try run(["2", "0", "0", "0"])
    #expect(killed.isKilled && killed.calls == 2)
    for error in [ENOSPC, EIO] {
      let failed = try run(["0", "1", "\(error)", "1"])
      #expect(failed.status == 1 && failed.failures > 0, "\(failed.notes)")
    }
  }
}
