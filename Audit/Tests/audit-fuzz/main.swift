import AuditFuzzTargets
import FuzzDriver

try FuzzDriver.main(AuditFuzzTarget.self) { target in target.run }
