import AtRestCrypto
import AtRestKeybag
import Foundation

/// The orders that one process carries out, and the store that it holds open between them.
final class Session {
  private var held: Opened?

  func answer(_ line: String) -> Answer {
    do {
      let order = try Order(line)
      return Answer(values: try perform(order, verb: order.text("verb")))
    } catch {
      return Answer(error)
    }
  }

  private func perform(_ order: Order, verb: String) throws -> [String: String] {
    switch verb {
    case "read": return try read(order)
    case "hold":
      held?.close()
      held = nil
      let opened = try Opened(
        order.place, order.passcodes, secondWayIn: SecondWayIn(order), isKept: true)
      held = opened
      for name in Place.names(in: opened.place.data.appendingPathComponent("files")) {
        _ = try opened.handle(name)
      }
      return Reading(opened).values
    case "held":
      guard let held else { return [:] }
      return Reading(held).values
    case "held-deed":
      guard let held else { return [:] }
      try Deed(order, held).run()
      return [:]
    case "held-transaction":
      try held?.stayInTransaction(of: order.text("name"), mark: order.text("mark"))
      return [:]
    case "release":
      held?.close()
      held = nil
      return [:]
    case "identity":
      try SecondWayIn(order).make()
      return [:]
    case "init", "passcode-set":
      try Beginning(order).run(verb)
      return [:]
    default:
      let opened = try Opened(order.place, order.passcodes)
      defer { opened.close() }
      try Deed(order, opened).run(verb)
      return [:]
    }
  }

  private func read(_ order: Order) throws -> [String: String] {
    let opened = try Opened(
      order.place, order.passcodes, secondWayIn: SecondWayIn(order),
      unlocks: order["locked"] == nil)
    defer { opened.close() }
    var values = Reading(opened).values
    values["passcode"] = opened.keybag.hasPasscode ? opened.passcode ?? "unknown" : "none"
    values["root"] = try DeviceRoot.present(in: order.place.device)?.rawValue ?? "none"
    return values
  }
}
