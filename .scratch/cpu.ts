import { readSheet } from '../api/shipments/import/read-sheet.ts';
import { checkRows } from '../api/shipments/import/check-rows.ts';
import { makeFailedRows } from '../api/shipments/import/failed-rows.ts';
import { COLUMNS } from '../api/shipments/import/columns.ts';
import { workbook } from '../test/api/shipments/import/make-package.ts';
import { PLAIN_CONTEXT } from '../test/api/shipments/import/reading.ts';
const enc=(s:string)=>s.replace(/&/g,'&amp;').replace(/</g,'&lt;');
async function run(file: Buffer){ const t=process.cpuUsage(); let msg='read';
  try { const sheet=await readSheet(file); const failed:any[]=[]; for await (const p of checkRows(sheet,PLAIN_CONTEXT)) failed.push(...p.failed); if(failed.length) await makeFailedRows(sheet.headers,failed,new Date()); msg=`failed ${failed.length}`;} catch(e:any){ msg=(e.refusal?.kind??e.message).slice(0,60);} const u=process.cpuUsage(t); return [(u.user+u.system)/1000,msg] as const;}
const headers=COLUMNS.map(c=>c.header);
const fillers:Record<string,string>={space:' ',one:'1',a:'a',dot:'.',comma:',',plus:'+',dash:'-',nbsp:'\u00a0',arab:'٣',at:'@',adot:'a.',semi:';a',d1:'1 ',paren:'(',slash:'1/',colon:':',zero:'0',e:'é',nl:'&#10;'};
const L=Number(process.argv[2]??30000), N=Number(process.argv[3]??100);
for (const c of COLUMNS){ for (const [n,f] of Object.entries(fillers)){
 const text=(f.repeat(Math.floor(L/f.length)));
 const shared=['recipient_first_name',...headers].map(h=>`<si><t>${h}</t></si>`).join('');
 const hdr='<row>'+headers.map((_,i)=>`<c t="s"><v>${i+1}</v></c>`).join('')+'</row>';
 const idx=headers.indexOf(c.header); const col=String.fromCharCode(65+idx%26); const ref=(idx>=26?'A':'')+col;
 const si=shared+`<si><t xml:space="preserve">${f==='&#10;'?text:enc('x'===f?text:text)}</t></si>`;
 let rows=hdr; for(let r=2;r<N+2;r++) rows+=`<row r="${r}"><c r="${ref}${r}" t="s"><v>${headers.length+1}</v></c></row>`;
 const file=workbook({rows,sharedStrings:si}); const [ms,msg]=await run(file); if(ms>300) console.log(c.header,n,file.length,Math.round(ms),msg);
}}
console.log('done');
