import Foundation
import KeychainTesting
import Security
import XCTest

// sample: test with XCTest
final class AccountTests: PhoneTestCase {
  private let account: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrAccount: "eva",
  ]

  override func setUpWithError() throws {
    let item = account.merging([kSecValueData: Data("s3cr3t".utf8)]) { $1 }
    XCTAssertEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
  }

  func testIsClosedInThePocket() throws {
    phone.lock()
    let query = account.merging([kSecReturnData: true]) { $1 } as CFDictionary
    XCTAssertEqual(SecItemCopyMatching(query, nil), errSecInteractionNotAllowed)
    try phone.unlock()
    XCTAssertEqual(SecItemCopyMatching(query, nil), errSecSuccess)
  }

  func testComesToTheNextPhone() throws {
    phone = try phone.after(.restoredElsewhere)
    XCTAssertEqual(SecItemCopyMatching(account as CFDictionary, nil), errSecSuccess)
  }
}
// sample: end
