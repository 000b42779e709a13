import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests the calls that a simulated device records.
@Suite struct CallLogTests {
  @Test func noValueOfAnItemIsInIt() throws {
    try onDevice { device in
      let secrets: [Any] = [
        Data("s3cr3t".utf8), "s3cr3t", 573_712, Date(timeIntervalSince1970: 573_712),
        try accessControl(.userPresence), ["s3cr3t"], NSNull(),
      ]
      for secret in secrets {
        _ = add(password([kSecValueData: secret]))
        _ = exists(query([kSecValueData: secret]))
        _ = update(query(), [kSecValueData: secret])
        _ = add([kSecUseItemList: [password([kSecValueData: secret])]])
      }
      #expect(device.calls.count == 4 * secrets.count)
      for call in device.calls {
        let words = "\(call)"
        #expect(!words.contains("s3cr3t") && !words.contains("573712"), "\(words)")
        #expect(!words.contains("1970-01-07"), "\(words)")
      }
      // Control: the log contains other attributes.
      #expect(device.calls.contains { "\($0)".contains("eva") })
    }
  }

  @Test func descriptionsOfKeysSayNothingOfThem() throws {
    let key = try Fixture.key("p256")
    let scalar = try Fixture.keyData("p256").suffix(32)
    let hex = scalar.map { String(format: "%02x", $0) }.joined()
    for words in [key.description, key.debugDescription, "\(key)", String(reflecting: key)] {
      #expect(!words.contains(hex.prefix(8)) && !words.contains(scalar.base64EncodedString()))
      #expect(words.contains("private"))
    }
  }
}
