import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Values that look like secrets one by one, and are none in their column or file.
@Suite struct ColumnTests {
  private func found(_ files: [String: [UInt8]]) throws -> [String] {
    try ContainerScan(ContainerSource(files: files)).run().discoveries.compactMap { discovery in
      guard case .secret(let detection) = discovery.subject else { return nil }
      return "\(discovery.locator): \(detection.kind.rawValue)"
    }
  }

  /// A number of 16 digits that begins like a card's. Each tenth has a valid check digit.
  private static func number(_ index: Int) -> String { "\(4_000_000_000_000_000 + index * 37)" }

  private func table(_ column: String, _ cells: [String]) -> [String: [UInt8]] {
    var database = DatabaseFile()
    database.add(
      table: "t", "CREATE TABLE t (\(column) TEXT)", rows: cells.map { [.text($0)] })
    return ["a.db": Array(database.bytes)]
  }

  @Test func aColumnOfNumbersHasNoCards() throws {
    #expect(try found(table("amount", (1...60).map(Self.number))) == [])
  }

  @Test func aColumnOfCardsHasCards() throws {
    let cards = ["4111111111111111", "4012888888881881", "5500000000000004"]
    #expect(try found(table("content", cards)).count == 3)
  }

  @Test func elementsOfAnArrayAreAColumn() throws {
    let numbers = (1...60).map { #"{"amount": "\#(Self.number($0))"}"# }.joined(separator: ",")
    #expect(try found(["a.json": Array("[\(numbers)]".utf8)]) == [])
  }

  @Test func aCardAmongNumbersIsFoundByItsGroups() throws {
    let cells = (1...60).map(Self.number) + ["4111 1111 1111 1111"]
    #expect(try found(table("content", cells)) == ["a.db › t, row 61, content: card-number"])
  }

  @Test(arguments: ["orderId", "tracking_number", "imei", "transactionReference", "timestamp"])
  func aNumberThatIdentifiesIsNoCard(_ name: String) throws {
    #expect(try found(["a.json": Array(#"{"\#(name)": "4111111111111111"}"#.utf8)]) == [])
    #expect(try found(["a.log": Array("sent \(name)=4111111111111111\n".utf8)]) == [])
  }

  @Test func addressesInALicenceAreNoFindings() throws {
    let licence = """
      Permission is hereby granted, free of charge, to any person.

        Jo Doe            Al Roe
        jo.doe@mail.example  al.roe@mail.example
      """
    #expect(try found(["LICENSE": Array(licence.utf8)]) == [])
    let list = BinaryList.dictionary([
      ("FooterText", .string("Copyright (c) 2019 Jo Doe <jo.doe@mail.example>"))
    ])
    #expect(try found(["Acknowledgements.plist": Array(list.encoded)]) == [])
    #expect(try found(["a.log": Array("mail to jo.doe@mail.example\n".utf8)]).count == 1)
  }

  @Test func aHandleIsNoAddress() throws {
    #expect(try found(table("acct", ["jo.doe@social.example"])) == [])
    #expect(try found(["a.log": Array("seen @jo.doe@social.example\n".utf8)]) == [])
  }

  @Test func domainsUnderAPluralAreNoPasswords() throws {
    let hosts = #"{"credentials": ["mail.example", "shop.example.org", "a-b.example"]}"#
    #expect(try found(["a.json": Array(hosts.utf8)]) == [])
    let real = #"{"credentials": ["Tr0ub4dor&3"], "password": "shop.example"}"#
    #expect(
      try found(["a.json": Array(real.utf8)]) == [
        "a.json › credentials[0]: password", "a.json › password: password",
      ])
  }
}
