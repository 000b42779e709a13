// Whoever imports this module instead of Foundation has both, and what is declared here stands before
// what Foundation has under the same names. A file that imports Foundation as well does not compile:
// such a call is ambiguous then.
@_exported import Foundation
