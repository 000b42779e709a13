import AtRestKeychain
import Foundation
import Security

/// Asks the user who they are, and remembers that they showed it.
open class LAContext: NSObject {
  public override init() {}
}
