# Runs windows.ps1 with functions in place of the commands of Windows, and compares what it sends and what it writes to a
# file with windows.expected-report.txt. It runs with Windows PowerShell 5.1, and with PowerShell 7 also on Linux and macOS:
#
#   pwsh -NoProfile -File inspect/windows.mocks.ps1
#   powershell -NoProfile -ExecutionPolicy Bypass -File inspect\windows.mocks.ps1
#
# It prints "The report is as expected", or the lines that differ, and then exits with 1. Nothing is sent.
#
# The laptop has two batteries, whose design capacity Get-CimInstance cannot read; an own NVMe and an own SATA drive; a USB
# stick, an SD card and a mounted virtual disk; an own screen and an external one; and no Lenovo_BiosPasswordSettings.
#
# No value has a character that Windows PowerShell escapes in JSON and PowerShell 7 does not, such as an ampersand.

# Filled by Invoke-RestMethod below. Functions see the variables of their callers.
$sent = @{}

function Get-CimInstance {
  [CmdletBinding()]
  param([string]$ClassName, [string]$Namespace)
  switch ($ClassName) {
    'Win32_ComputerSystemProduct' {
      [pscustomobject]@{ Vendor = 'LENOVO'; Name = '20L5000AGE'; Version = 'ThinkPad T480'; IdentifyingNumber = 'PF1A2B3C'; UUID = 'not to be sent' }
    }
    'Win32_BaseBoard' { [pscustomobject]@{ Manufacturer = 'LENOVO'; Product = '20L5000AGE'; SerialNumber = 'L1HF8AB01CD' } }
    'Win32_BIOS' {
      # Windows returns the date in local time.
      $date = [datetime]::SpecifyKind([datetime]'2021-03-09', [DateTimeKind]::Utc).ToLocalTime()
      [pscustomobject]@{ Manufacturer = 'LENOVO'; SMBIOSBIOSVersion = 'N24ET62W (1.37)'; SerialNumber = 'PF1A2B3C'; ReleaseDate = $date }
    }
    'Win32_Processor' { [pscustomobject]@{ Name = 'Intel(R) Core(TM) i5-8350U CPU @ 1.70GHz'; NumberOfCores = 4; ProcessorId = 'not to be sent' } }
    'Win32_PhysicalMemory' {
      [pscustomobject]@{ Capacity = [uint64]8589934592; ConfiguredClockSpeed = 2400; SMBIOSMemoryType = 26 }
      [pscustomobject]@{ Capacity = [uint64]8589934592; ConfiguredClockSpeed = 2400; SMBIOSMemoryType = 26 }
    }
    'Win32_VideoController' {
      [pscustomobject]@{ Name = 'Intel(R) UHD Graphics 620'; PNPDeviceID = 'PCI\VEN_8086\1' }
      [pscustomobject]@{ Name = 'Remote Display Adapter'; PNPDeviceID = 'SWD\REMOTEDISPLAYENUM\1' }
    }
    'Win32_OperatingSystem' { [pscustomobject]@{ Caption = 'Microsoft Windows 11 Pro'; Version = '10.0.22631'; RegisteredUser = 'not to be sent' } }
    'WmiMonitorConnectionParams' {
      [pscustomobject]@{ InstanceName = 'DISPLAY\DEL40F1\2_0'; VideoOutputTechnology = [uint32]10 }
      [pscustomobject]@{ InstanceName = 'DISPLAY\LEN40BA\1_0'; VideoOutputTechnology = [uint32]2147483648 }
    }
    'BatteryStaticData' { Write-Error 'Generic failure' }
    'BatteryFullChargedCapacity' {
      [pscustomobject]@{ InstanceName = 'ACPI\PNP0C0A\2_0'; FullChargedCapacity = [uint32]18000 }
      [pscustomobject]@{ InstanceName = 'ACPI\PNP0C0A\1_0'; FullChargedCapacity = [uint32]21600 }
    }
    'BatteryCycleCount' {
      [pscustomobject]@{ InstanceName = 'ACPI\PNP0C0A\1_0'; CycleCount = [uint32]212 }
      [pscustomobject]@{ InstanceName = 'ACPI\PNP0C0A\2_0'; CycleCount = [uint32]401 }
    }
    # Ends the command, where Write-Error lets it go on.
    default { throw "Invalid class $ClassName" }
  }
}

function Get-WmiObject {
  [CmdletBinding()]
  param([string]$Class, [string]$Namespace)
  [pscustomobject]@{ InstanceName = 'ACPI\PNP0C0A\1_0'; DesignedCapacity = [uint32]24000; DeviceName = '01AV489'; SerialNumber = 'not to be sent' }
  [pscustomobject]@{ InstanceName = 'ACPI\PNP0C0A\2_0'; DesignedCapacity = [uint32]24000; DeviceName = '01AV452'; SerialNumber = 'not to be sent' }
}

function Get-PhysicalDisk {
  [CmdletBinding()]
  param()
  [pscustomobject]@{ DeviceId = '0'; FriendlyName = 'SAMPLE NVME 512'; MediaType = 'SSD'; BusType = 'NVMe'; Size = [uint64]512110190592; SerialNumber = 'S4EN_X0N1_2345.'; HealthStatus = 'Healthy' }
  [pscustomobject]@{ DeviceId = '1'; FriendlyName = 'SAMPLE SATA 1TB'; MediaType = 'HDD'; BusType = 'SATA'; Size = [uint64]1000204886016; SerialNumber = 'WXA1B2C3D4'; HealthStatus = 'Warning' }
  [pscustomobject]@{ DeviceId = '2'; FriendlyName = 'SAMPLE USB STICK'; MediaType = 'Unspecified'; BusType = 'USB'; Size = [uint64]2000398934016; SerialNumber = '1234567890AB'; HealthStatus = 'Healthy' }
  [pscustomobject]@{ DeviceId = '3'; FriendlyName = 'SAMPLE SD CARD'; MediaType = 'Unspecified'; BusType = 'SD'; Size = [uint64]127865454592; SerialNumber = '9a8b7c6d'; HealthStatus = 'Healthy' }
  [pscustomobject]@{ DeviceId = '4'; FriendlyName = 'Msft Virtual Disk'; MediaType = 'Unspecified'; BusType = 'File Backed Virtual'; Size = [uint64]1099511627776; SerialNumber = $null; HealthStatus = 'Healthy' }
}

function Get-StorageReliabilityCounter {
  [CmdletBinding()]
  param([Parameter(ValueFromPipeline)]$Disk)
  process {
    switch ($Disk.DeviceId) {
      '0' { [pscustomobject]@{ DeviceId = '0'; Wear = 7; PowerOnHours = 5120; ReadErrorsUncorrected = $null } }
      '1' { [pscustomobject]@{ DeviceId = '1'; Wear = 0; PowerOnHours = 12840; ReadErrorsUncorrected = 3 } }
      default { Write-Error 'Not supported' }
    }
  }
}

function Get-ItemProperty {
  [CmdletBinding()]
  param([string]$Path, [string]$Name)
  if ($Path -notlike 'HKLM:\SYSTEM\CurrentControlSet\Enum\DISPLAY\*') {
    Write-Error "There is no key $Path"
    return
  }
  $external = '00 ff ff ff ff ff ff 00 10 ac f1 40 00 00 00 00 14 1e 01 04 95 3c 22 78 02 00 00 00 00 00 00 00 ' +
    '00 00 00 00 00 00 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 56 5e 00 40 a1 a0 1e 50 30 20 ' +
    '35 00 55 50 21 00 00 1a 00 00 00 fe 00 53 41 4d 50 4c 45 20 32 37 49 4e 0a 20 00 00 00 fe 00 53 ' +
    '41 4d 50 4c 45 20 32 37 49 4e 0a 20 00 00 00 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 39'
  $own = '00 ff ff ff ff ff ff 00 30 ae ba 40 00 00 00 00 14 1e 01 04 95 1f 11 78 02 00 00 00 00 00 00 00 ' +
    '00 00 00 00 00 00 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 64 37 80 f0 70 38 1e 40 30 20 ' +
    '35 00 35 ae 10 00 00 1a 00 00 00 fe 00 53 41 4d 50 4c 45 20 50 41 4e 45 4c 0a 00 00 00 fe 00 53 ' +
    '41 4d 50 4c 45 20 50 41 4e 45 4c 0a 00 00 00 10 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 41'
  $key = 'Microsoft.PowerShell.Core\Registry::HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet\Enum\DISPLAY'
  [pscustomobject]@{ PSPath = "$key\DEL40F1\2\Device Parameters"; EDID = [byte[]]@($external -split ' ' | ForEach-Object { [Convert]::ToByte($_, 16) }) }
  Write-Error 'Property EDID does not exist'
  [pscustomobject]@{ PSPath = "$key\LEN40BA\1\Device Parameters"; EDID = [byte[]]@($own -split ' ' | ForEach-Object { [Convert]::ToByte($_, 16) }) }
}

# The last argument is the path to write to.
function powercfg {
  $xml = @'
<?xml version="1.0" encoding="utf-8"?>
<BatteryReport xmlns="http://schemas.microsoft.com/battery/2012">
  <SystemInformation><ComputerName>not to be sent</ComputerName></SystemInformation>
  <Batteries>
    <Battery>
      <Id>01AV489</Id>
      <Manufacturer>SANYO</Manufacturer>
      <SerialNumber>not to be sent</SerialNumber>
      <ManufactureDate></ManufactureDate>
      <Chemistry>LiP</Chemistry>
      <LongTerm>1</LongTerm>
      <RelativeCapacity>0</RelativeCapacity>
      <DesignCapacity>24000</DesignCapacity>
      <FullChargeCapacity>21600</FullChargeCapacity>
      <CycleCount>212</CycleCount>
    </Battery>
    <Battery>
      <Id>01AV452</Id>
      <Manufacturer>SANYO</Manufacturer>
      <SerialNumber>not to be sent</SerialNumber>
      <ManufactureDate></ManufactureDate>
      <Chemistry>LiP</Chemistry>
      <LongTerm>1</LongTerm>
      <RelativeCapacity>0</RelativeCapacity>
      <DesignCapacity>24000</DesignCapacity>
      <FullChargeCapacity>18000</FullChargeCapacity>
      <CycleCount>401</CycleCount>
    </Battery>
  </Batteries>
  <RecentUsage>
    <UsageEntry LocalTimestamp="2026-10-01T12:00:00" Duration="298972668" Ac="1" EntryType="Active" ChargeCapacity="not to be sent" />
  </RecentUsage>
</BatteryReport>
'@
  $sent['temporary'] = $args[-1]
  [IO.File]::WriteAllText($args[-1], $xml)
  'Battery life report saved to file path.'
}

function dsregcmd {
  '+----------------------------------------------------------------------+'
  '| Device State                                                         |'
  '+----------------------------------------------------------------------+'
  ''
  '             AzureAdJoined : NO'
  '          EnterpriseJoined : NO'
  '              DomainJoined : NO'
  '               Device Name : not to be sent'
}

function Read-Host([string]$Prompt) { 'y' }

function Invoke-RestMethod {
  [CmdletBinding()]
  param([string]$Method, [string]$Uri, [string]$ContentType, $Body, [int]$TimeoutSec)
  $sent['to'] = "$Method $Uri"
  $sent['report'] = [Text.Encoding]::UTF8.GetString($Body)
  'Received.'
}

# Returns the lines in which a report differs from the expected one.
function Compare-Report([string]$Which, [string]$Expected, [string]$Actual) {
  $expectedLines = @($Expected.Trim() -split '\r?\n')
  $actualLines = @($Actual.Trim() -split '\r?\n')
  for ($index = 0; $index -lt [Math]::Max($expectedLines.Length, $actualLines.Length); $index++) {
    if ($expectedLines[$index] -cne $actualLines[$index]) {
      'Line {0} of the report that was {1}:' -f ($index + 1), $Which
      '  expected: ' + $expectedLines[$index]
      '  but is:   ' + $actualLines[$index]
    }
  }
}

$scriptPath = [IO.Path]::Combine($PSScriptRoot, 'windows.ps1')
$expected = [IO.File]::ReadAllText([IO.Path]::Combine($PSScriptRoot, 'windows.expected-report.txt'))
$folder = [IO.Path]::Combine([IO.Path]::GetTempPath(), [IO.Path]::GetRandomFileName())
[IO.Directory]::CreateDirectory($folder) | Out-Null
Push-Location -LiteralPath $folder
try {
  & $scriptPath 'https://shop.example' '0000-0000-0000' | Out-Null
  & $scriptPath 'https://shop.example' '0000-0000-0000' -File | Out-Null
  $written = [IO.File]::ReadAllText([IO.Path]::Combine($folder, 'laptop-report.txt'))
} finally {
  Pop-Location
  [IO.Directory]::Delete($folder, $true)
}

$differences = @(
  Compare-Report 'sent' $expected $sent['report']
  Compare-Report 'written to a file' $expected $written
  if ($sent['to'] -cne 'Post https://shop.example/measurements') { 'It was sent to ' + $sent['to'] }
  if ([IO.File]::Exists($sent['temporary'])) { 'This temporary file was left: ' + $sent['temporary'] }
)
if ($differences.Length -gt 0) {
  $differences
  exit 1
}
'The report is as expected, with PowerShell ' + $PSVersionTable.PSVersion
